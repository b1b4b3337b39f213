import { openMachine } from '../world/machine.ts';
import type { Machine } from '../world/machine.ts';
import { comesTrue } from '../world/moments.ts';
import { newTeam } from '../world/teams.ts';
import type { Team } from '../world/teams.ts';
import { startChild } from './child.ts';
import type { Child } from './child.ts';
import { cpuSecondsOf } from './cpu.ts';

/** The environment of the scenarios: the shipped service, one API and one worker, and peers. */
export interface Stand {
  machine: Machine;
  sink: Child;
  /** Where subscriptions post to. */
  sinkUrl: string;
  base: string;
  rounds: number;
  /** Rows of the imported file. */
  rows: number;
  /** Contacts of the team whose cohorts are evaluated. */
  contacts: number;
  /** Events of the team whose insights are requested. */
  events: number;
  note: (line: string) => void;
  /** For the Node of API and worker, such as --cpu-prof: for scenarios with a machine of their own. */
  nodeArguments: readonly string[];
  newTeam(): Promise<Team>;
  /** A team with so many subscriptions to contact.created. */
  newSubscribedTeam(subscriptions: number, targetUrl?: string): Promise<Team>;
  /** CPU seconds so far of API, worker, Postgres and Temporal, each with its children. */
  cpu(): Readonly<Record<'api' | 'worker' | 'postgres' | 'temporal', number>>;
  /** Waits until the sink has had so many posts since its reset; false when it stays behind. */
  sinkHas(requests: number, withinMs: number): Promise<boolean>;
  close(): Promise<void>;
}

export interface StandOptions {
  rounds: number;
  rows: number;
  contacts: number;
  events: number;
  note: (line: string) => void;
  nodeArguments: readonly string[];
}

export async function openStand({
  rounds,
  rows,
  contacts,
  events,
  note,
  nodeArguments,
}: StandOptions): Promise<Stand> {
  const machine = await openMachine({
    name: 'bench',
    apis: 1,
    workers: 1,
    settings: { LOG_LEVEL: 'error' },
    nodeArguments,
    onNotice: note,
  });
  const sink = startChild('test/bench/sink.ts');
  const { url: sinkUrl } = await sink.ask({ ask: 'url' });
  const { apis, workers, postgres, temporal, bases } = machine;
  return {
    ...{ machine, sink, sinkUrl, rounds, rows, contacts, events, note, nodeArguments },
    base: bases[0] ?? '',
    newTeam: () => newTeam(machine),
    async newSubscribedTeam(subscriptions, targetUrl = sinkUrl) {
      const team = await newTeam(machine);
      for (let made = 0; made < subscriptions; made += 1) {
        await team.must('POST', '/v2/partner/webhook-subscriptions', {
          target_url: targetUrl,
          event_types: ['contact.created'],
        });
      }
      return team;
    },
    cpu: () => ({
      api: cpuSecondsOf(apis.map(({ pid }) => pid)),
      worker: cpuSecondsOf(workers.map(({ pid }) => pid)),
      postgres: cpuSecondsOf([postgres.pid]),
      temporal: cpuSecondsOf([temporal.pid]),
    }),
    sinkHas: (requests, withinMs) =>
      comesTrue(async () => (await sink.ask({ ask: 'count' })).requests >= requests, withinMs, 20),
    async close() {
      sink.stop();
      await machine.close({ keepLogs: false });
    },
  };
}

/** CPU seconds between two readings, by part. */
export function cpuBetween(before: ReturnType<Stand['cpu']>, after: ReturnType<Stand['cpu']>) {
  const parts = {
    api: after.api - before.api,
    worker: after.worker - before.worker,
    postgres: after.postgres - before.postgres,
    temporal: after.temporal - before.temporal,
  };
  return { ...parts, all: parts.api + parts.worker + parts.postgres + parts.temporal };
}

/** The request that makes a contact of this team, each time another one. */
export function postContact(base: string, team: Team) {
  let made = 0;
  return {
    method: 'POST' as const,
    url: `${base}/v2/partner/contacts`,
    headers: { authorization: `Bearer ${team.token}`, 'content-type': 'application/json' },
    each: () => {
      made += 1;
      const email = `person-${String(made)}@example.com`;
      return { body: JSON.stringify({ email, first_name: 'Robin' }) };
    },
  };
}
