import type { Sql } from '../../../src/platform/database/sql.ts';
import { openMachine } from '../../world/machine.ts';
import type { Machine } from '../../world/machine.ts';
import { newTeam, newToken } from '../../world/teams.ts';
import { megabytesOf } from '../cpu.ts';
import { atFullRate, atRate } from '../publish.ts';
import { median } from '../report.ts';
import type { Report } from '../report.ts';
import { cpuSecondsOfMachine, postContact } from '../stand.ts';
import type { Stand } from '../stand.ts';

const windows = 12;
const shareOfFullRate = 0.6;
/** Windows at the beginning and at the end whose medians are compared. */
const compared = 4;
/** Growth that counts as none. */
const within = { of: 'ratio', atMost: 1.2 } as const;

/**
 * Contacts with an event and a delivery each, at 60 % of the highest rate for an hour: latency,
 * memory and the size of indexes for each row must not grow.
 */
export async function soak(stand: Stand, report: Report): Promise<void> {
  const machine = await openMachine({
    ...{ name: 'bench-soak', apis: 1, workers: 1, onNotice: stand.note },
    settings: { LOG_LEVEL: 'error' },
    nodeArguments: stand.nodeArguments,
  });
  try {
    const team = await newTeam(machine);
    await team.must('POST', '/v2/partner/webhook-subscriptions', {
      target_url: stand.sinkUrl,
      event_types: ['contact.created'],
    });
    const request = postContact(machine.bases[0] ?? '', [team]);
    const parts = { ...stand, cpu: () => cpuSecondsOfMachine(machine) };
    await atFullRate(parts, request, 8_000);
    const full = await atFullRate(parts, request, 16_000);
    const perSecond = Math.round(full.perSecond * shareOfFullRate);
    const amount = Math.ceil((stand.minutes * 60 * perSecond) / windows);
    const found: Awaited<ReturnType<typeof measureWindow>>[] = [];
    for (let window = 1; window <= windows; window += 1) {
      // A token is valid for an hour.
      const renewed = postContact(machine.bases[0] ?? '', [
        { token: await newToken(machine, team) },
      ]);
      const measured = await measureWindow(machine, () =>
        atRate(parts, renewed, { perSecond, amount }),
      );
      found.push(measured);
      stand.note(`soak at ${String(perSecond)}/s, ${String(window)}: ${JSON.stringify(measured)}`);
    }
    tell(report, perSecond, found);
  } finally {
    await machine.close({ keepLogs: false });
  }
}

async function measureWindow(machine: Machine, load: () => ReturnType<typeof atRate>) {
  const published = await load();
  const { apis, workers, database } = machine;
  const sizes = await database.read(readSizes, { deadlineMs: 60_000 });
  return {
    ...published,
    apiMb: megabytesOf(apis.map(({ pid }) => pid)),
    workerMb: megabytesOf(workers.map(({ pid }) => pid)),
    ...sizes,
  };
}

async function readSizes(sql: Sql) {
  const [row] = await sql<[{ contacts: number; deliveries: number; waiting: number }]>`
    select pg_indexes_size('contacts') / greatest(1, (select count(*) from contacts))::float8
        as contacts,
      (select sum(pg_indexes_size(i.inhrelid)) from pg_inherits i
        where i.inhparent = 'webhook_deliveries'::regclass)
        / greatest(1, (select count(*) from webhook_deliveries))::float8 as deliveries,
      (select count(*)::int from webhook_deliveries where status = 'pending') as waiting`;
  return {
    contactIndexBytes: row.contacts,
    deliveryIndexBytes: row.deliveries,
    waiting: row.waiting,
  };
}

function tell(
  report: Report,
  perSecond: number,
  found: readonly Awaited<ReturnType<typeof measureWindow>>[],
): void {
  // The first window fills caches.
  const [first, last] = [found.slice(1, 1 + compared), found.slice(-compared)];
  const grown = (name: string, figure: keyof (typeof found)[number], unit: string) => {
    const of = (some: typeof found) => median(some.map((one) => one[figure]));
    report.add(`soak.${name}`, { value: of(last), unit, limit: of(first) }, within);
  };
  report.add('soak.rate', { value: perSecond, unit: 'events/s' });
  grown('p99', 'p99Ms', 'ms accept → sink');
  grown('cpu', 'cpu', 'CPU-s per 1,000, all parts');
  grown('api_memory', 'apiMb', 'MB');
  grown('worker_memory', 'workerMb', 'MB');
  grown('contact_indexes', 'contactIndexBytes', 'bytes for each contact');
  grown('delivery_indexes', 'deliveryIndexBytes', 'bytes for each delivery');
}
