import { maxWebhookSubscriptions } from '../../../src/webhooks/webhook-subscriptions/webhook-subscription.ts';
import { openMachine } from '../../world/machine.ts';
import type { Machine } from '../../world/machine.ts';
import { newTeam } from '../../world/teams.ts';
import type { Team } from '../../world/teams.ts';
import { cpuSecondsOf } from '../cpu.ts';
import { filling } from './product.ts';
import type { Audience, Product } from './product.ts';
import { walBytes } from './wal.ts';

const subscriptions = '/v2/partner/webhook-subscriptions';
const execute = '/v2/ipaas/operations/contacts.bulk_upsert/execute';
/** Size of an event without the filled fields of the contact. */
const bareBytes = 700;
/** The same of an event of a type of the team. */
const bareCustomBytes = 480;
const customType = 'custom.published';

export interface OwnAudience extends Audience {
  /** Each with as many subscriptions as one may have, and an event goes to one of them in turn. */
  teams: readonly Team[];
}

const post = (path: string, headers: Readonly<Record<string, string>>, body: unknown) => {
  return { method: 'POST' as const, path, headers, body: JSON.stringify(body) };
};

const headersOf = (team: Team | undefined, key: string | undefined) => ({
  ...{ authorization: `Bearer ${team?.token ?? ''}`, 'content-type': 'application/json' },
  ...(key !== undefined && { 'idempotency-key': key }),
});

export interface Onward extends Product {
  machine: Machine;
  /** As `subscribe`; in bulk a hundred contacts are one call. */
  newAudience(targets: readonly string[], isBulk?: boolean): Promise<OwnAudience>;
  /** Receivers of one team, to which events are published that no write of ours has caused. */
  newEventAudience(targets: readonly string[]): Promise<Audience>;
}

/** The service as it ships, with one API and one worker, retries every second, and a breaker as in production. */
export async function openOnward(
  note: (line: string) => void,
  nodeArguments: readonly string[],
): Promise<Onward> {
  const machine = await openMachine({
    ...{ name: 'bench-webhooks', apis: 1, workers: 1, nodeArguments, onNotice: note },
    settings: {
      LOG_LEVEL: 'error',
      WEBHOOK_RETRY_SCHEDULE_SECONDS: '0,1,1,1,1,1,1,1,1,1',
      WEBHOOK_DISABLE_AFTER: '1000',
      WEBHOOK_BREAKER_TRIES: '10',
      WEBHOOK_BREAKER_FIRST_PAUSE_SECONDS: '30',
      WEBHOOK_BREAKER_MAX_PAUSE_SECONDS: '900',
    },
  });
  const { apis, workers, postgres, temporal, database, bases } = machine;

  async function newAudience(targets: readonly string[], isBulk = false): Promise<OwnAudience> {
    const teams: Team[] = [];
    const paths: [Team, string][] = [];
    for (const [at, target_url] of targets.entries()) {
      const team = teams[Math.floor(at / maxWebhookSubscriptions)] ?? (await newTeam(machine));
      if (!teams.includes(team)) teams.push(team);
      const body = { target_url, event_types: ['contact.created'] };
      const { id } = await team.must('POST', subscriptions, body);
      paths.push([team, `${subscriptions}/${String(id)}`]);
    }
    let turn = 0;
    return {
      ...{ teams, most: isBulk ? 100 : 1, reach: targets.length / teams.length },
      publish(marks, bytes, isKeyed) {
        const headers = headersOf(
          teams[(turn += 1) % teams.length],
          isKeyed ? marks[0] : undefined,
        );
        const contacts = marks.map((mark) => ({
          ...{ email: `${mark}@example.com`, first_name: 'Robin' },
          attributes: { note: filling(bytes - bareBytes) },
          ...(isBulk && { unique_id: mark }),
        }));
        return isBulk
          ? post(execute, headers, { items: contacts, options: { return: 'none' } })
          : post('/v2/partner/contacts', headers, contacts[0]);
      },
      async close() {
        for (const [team, path] of paths) await team.must('DELETE', path);
      },
    };
  }

  async function newEventAudience(targets: readonly string[]): Promise<Audience> {
    const team = await newTeam(machine);
    await team.must('POST', '/v2/partner/custom-event-types', { name: customType });
    const ids: string[] = [];
    for (const target_url of targets) {
      const body = { target_url, event_types: [customType] };
      ids.push(String((await team.must('POST', subscriptions, body)).id));
    }
    return {
      ...{ most: 1, reach: targets.length },
      publish: ([mark = ''], bytes, isKeyed) => {
        const data = { note: filling(bytes - bareCustomBytes) };
        const events = [{ unique_id: mark, type: customType, data }];
        return post('/v2/partner/events', headersOf(team, isKeyed ? mark : undefined), { events });
      },
      async close() {
        for (const id of ids) await team.must('DELETE', `${subscriptions}/${id}`);
      },
    };
  }

  return {
    ...{ name: 'onward', machine, url: bases[0] ?? '', newAudience, newEventAudience },
    subscribe: (targets) => newAudience(targets),
    cpu: () => {
      const ours = [...apis, ...workers].map(({ pid }) => pid);
      return cpuSecondsOf([...ours, postgres.pid, temporal.pid]);
    },
    wal: () => walBytes(database),
    close: () => machine.close({ keepLogs: false }),
  };
}
