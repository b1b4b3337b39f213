import { randomUUID } from 'node:crypto';
import { openMachine } from '../world/machine.ts';
import type { Machine } from '../world/machine.ts';
import { comesTrue } from '../world/moments.ts';
import { newTeam } from '../world/teams.ts';
import type { Team } from '../world/teams.ts';
import { startChild } from './child.ts';
import type { Child } from './child.ts';
import { cpuSecondsOf } from './cpu.ts';
import type { Request } from './load.ts';

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
  /** Length of the soak. */
  minutes: number;
  note: (line: string) => void;
  /** For the Node of API and worker, such as --cpu-prof: for scenarios with a machine of their own. */
  nodeArguments: readonly string[];
  newTeam(): Promise<Team>;
  /** A team with so many subscriptions to contact.created. */
  newSubscribedTeam(subscriptions: number, targetUrl?: string): Promise<Team>;
  /** CPU seconds so far of API, worker, Postgres and Temporal, each with its children. */
  cpu(): CpuSeconds;
  /** Waits until the sink has had so many posts since its reset; false when it stays behind. */
  sinkHas(requests: number, withinMs: number): Promise<boolean>;
  close(): Promise<void>;
}

export type CpuSeconds = Readonly<Record<'api' | 'worker' | 'postgres' | 'temporal', number>>;

export interface StandOptions {
  rounds: number;
  rows: number;
  contacts: number;
  events: number;
  minutes: number;
  note: (line: string) => void;
  nodeArguments: readonly string[];
}

export async function openStand({
  rounds,
  rows,
  contacts,
  events,
  minutes,
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
  const { bases } = machine;
  return {
    ...{ machine, sink, sinkUrl, rounds, rows, contacts, events, minutes, note, nodeArguments },
    base: bases[0] ?? '',
    newTeam: () => newTeam(machine),
    newSubscribedTeam: (subscriptions, targetUrl = sinkUrl) =>
      newSubscribedTeam(machine, subscriptions, targetUrl),
    cpu: () => cpuSecondsOfMachine(machine),
    sinkHas: (requests, withinMs) =>
      comesTrue(async () => (await sink.ask({ ask: 'count' })).requests >= requests, withinMs, 20),
    async close() {
      sink.stop();
      await machine.close({ keepLogs: false });
    },
  };
}

/** A team with so many subscriptions to contact.created. */
export async function newSubscribedTeam(
  machine: Machine,
  subscriptions: number,
  targetUrl: string,
): Promise<Team> {
  const team = await newTeam(machine);
  for (let made = 0; made < subscriptions; made += 1) {
    await team.must('POST', '/v2/partner/webhook-subscriptions', {
      target_url: targetUrl,
      event_types: ['contact.created'],
    });
  }
  return team;
}

export function cpuSecondsOfMachine({ apis, workers, postgres, temporal }: Machine): CpuSeconds {
  return {
    api: cpuSecondsOf(apis.map(({ pid }) => pid)),
    worker: cpuSecondsOf(workers.map(({ pid }) => pid)),
    postgres: cpuSecondsOf([postgres.pid]),
    temporal: cpuSecondsOf([temporal.pid]),
  };
}

/** CPU seconds between two readings, by part. */
export function cpuBetween(before: CpuSeconds, after: CpuSeconds) {
  const parts = {
    api: after.api - before.api,
    worker: after.worker - before.worker,
    postgres: after.postgres - before.postgres,
    temporal: after.temporal - before.temporal,
  };
  return { ...parts, all: parts.api + parts.worker + parts.postgres + parts.temporal };
}

interface PostOptions {
  /** Each request has an Idempotency-Key. */
  isKeyed?: boolean;
}

/** Requests that make contacts of these teams in turn, each with two fields. */
export function postContact(
  base: string,
  teams: readonly Pick<Team, 'token'>[],
  options: PostOptions = {},
): Request {
  return postContacts(base, teams, options, (at) => ({
    ...{ email: `person-${String(at)}@example.com`, first_name: 'Robin' },
  }));
}

/** The same with all fields that a bank has of a customer. */
export function postFullContact(
  base: string,
  teams: readonly Pick<Team, 'token'>[],
  options: PostOptions = {},
): Request {
  const run = randomUUID();
  return postContacts(base, teams, options, (at) => ({
    ...{ unique_id: `${run}-${String(at)}`, email: `person-${String(at)}@example.com` },
    ...{ first_name: 'Robin', last_name: `Meyer ${String(at % 5_000)}`, preferred_name: 'Rob' },
    ...{ phone: `+1415555${String(at % 10_000).padStart(4, '0')}`, postal_code: '94103' },
    ...{ locale: 'en-US', timezone: 'America/Los_Angeles', date_of_birth: '1990-04-01' },
    tags: ['new', `branch-${String(at % 50)}`],
    attributes: { segment: 'retail', branch: at % 50, opened_online: true },
  }));
}

function postContacts(
  base: string,
  teams: readonly Pick<Team, 'token'>[],
  { isKeyed = false }: PostOptions,
  contactAt: (at: number) => object,
): Request {
  let made = 0;
  return {
    method: 'POST',
    url: `${base}/v2/partner/contacts`,
    headers: { 'content-type': 'application/json' },
    each: () => {
      made += 1;
      const headers = {
        authorization: `Bearer ${teams[made % teams.length]?.token ?? ''}`,
        ...(isKeyed && { 'idempotency-key': randomUUID() }),
      };
      return { headers, body: JSON.stringify(contactAt(made)) };
    },
  };
}
