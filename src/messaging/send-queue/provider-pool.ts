import { LRUCache } from 'lru-cache';
import { sendingHalted } from '../../platform/http/metrics.ts';
import type { Keyring } from '../../platform/auth/keyring.ts';
import type { SendingConfig } from '../../platform/config.ts';
import type { Database } from '../../platform/database/client.ts';
import type { Egress } from '../../platform/egress/client.ts';
import type { Log } from '../../platform/observability/log.ts';
import { createBreaker } from '../../platform/circuit-breaker/in-memory.ts';
import type { Breaker, BreakerTransition } from '../../platform/circuit-breaker/in-memory.ts';
import { toTimestamp } from '../../platform/time/rules.ts';
import type { Sender } from '../providers/sender.ts';
import type { Senders } from '../providers/senders.ts';
import { createTeamSender } from '../providers/team-senders.ts';
import { unconfiguredSender } from '../providers/unconfigured.ts';
import { openSecrets } from '../sending-providers/queries.ts';
import type { StoredProvider } from '../sending-providers/queries.ts';
import { isAllowedSmsSender } from '../sending-providers/rules.ts';
import { recordHalt, recordResumed } from '../sending-providers/status.ts';
import type { Channel } from './queries.ts';

/** A provider as all lanes of a process share it. */
export interface LiveProvider {
  channel: Channel;
  sender: Sender;
  breaker: Breaker;
  isOfTeam: boolean;
  /** Whether a text message may name this number or name as its sender. */
  hasSender(sender: string): boolean;
  /** Sender of e-mails that name none. */
  defaultFrom: string;
}

/** The providers of a process. */
export interface ProviderPool {
  /** Those of the settings, for teams without one of their own. */
  installation: Readonly<Record<Channel, LiveProvider>>;
  /** For teams that may not use those of the settings: their messages wait. */
  none: Readonly<Record<Channel, LiveProvider>>;
  /** A provider of a team, with the settings and the state that its row has now. */
  ofTeam(row: StoredProvider): LiveProvider;
  /** Resolves when the states that changed are written. */
  close(): Promise<void>;
}

/** Providers of teams with open connections; one that is used again is opened again. */
const maxOpen = 2_000;
const idleMs = 10 * 60_000;
/** Connections to a mail server of a team, of one process. */
const connections = 8;

interface Opened extends LiveProvider {
  version: string;
  /** State changes that are not written yet. */
  pending: number;
}

interface PoolTools {
  database: Database;
  egress: Egress;
  keyring: Keyring;
  senders: Senders;
  sending: SendingConfig;
  log: Log;
}

export function createProviderPool(tools: PoolTools): ProviderPool {
  const { senders, sending, log } = tools;
  const teams = createTeamProviders(tools);
  return {
    installation: forEachChannel((channel) => {
      const sender = senders.of[channel];
      sendingHalted.set({ channel }, 0);
      return ofSettings(sending, channel, sender, (transition) => {
        sendingHalted.set({ channel }, transition.kind === 'closed' ? 0 : 1);
        logTransition(log, { channel, provider: sender.provider }, transition);
      });
    }),
    none: forEachChannel((channel) =>
      ofSettings(sending, channel, unconfiguredSender, () => undefined),
    ),
    ofTeam: teams.get,
    async close() {
      await teams.close();
      await senders.close();
    },
  };
}

function forEachChannel(make: (channel: Channel) => LiveProvider): Record<Channel, LiveProvider> {
  return { email: make('email'), sms: make('sms'), push: make('push') };
}

function ofSettings(
  sending: SendingConfig,
  channel: Channel,
  sender: Sender,
  onTransition: (transition: BreakerTransition) => void,
): LiveProvider {
  const { defaultFrom } = sending;
  const breaker = createBreaker(breakerPolicy(sending), onTransition);
  const hasSender = (from: string) => isAllowedSmsSender(sending, [], from);
  return { channel, sender, breaker, isOfTeam: false, hasSender, defaultFrom };
}

const breakerPolicy = ({ probeScheduleMs, leaseMs: probeTimeoutMs }: SendingConfig) => ({
  probeScheduleMs,
  probeTimeoutMs,
});

/** Opens providers of teams, and writes the states of their breakers one after the other. */
function createTeamProviders({ database, egress, keyring, sending, log }: PoolTools) {
  let writing = Promise.resolve();
  const opened = new LRUCache<string, Opened>({
    max: maxOpen,
    ttl: idleMs,
    updateAgeOnGet: true,
    dispose: ({ sender }) => {
      sender.close().catch((error: unknown) => {
        log.warn({ err: error }, 'a provider of a team was not closed');
      });
    },
  });

  function open(row: StoredProvider, version: string): Opened {
    const { team_id, id, channel, senders: named } = row;
    const sender = createTeamSender(row, openSecrets(keyring, row), { egress, connections });
    const provider: Opened = {
      ...{ channel, sender, version, isOfTeam: true, pending: 0 },
      hasSender: (from) => named.includes(from),
      defaultFrom: named[0] ?? '',
      breaker: createBreaker(breakerPolicy(sending), (transition) => {
        const about = { channel, provider: sender.provider, team_id, provider_id: id };
        logTransition(log, about, transition);
        provider.pending += 1;
        writing = writing
          .then(() => write(database, row, transition))
          .catch((error: unknown) => {
            log.warn({ ...about, err: error }, 'the state of a provider was not written');
          })
          .finally(() => {
            provider.pending -= 1;
          });
      }),
    };
    return provider;
  }

  return {
    get(row: StoredProvider): LiveProvider {
      const key = `${row.team_id} ${row.id}`;
      const version = `${String(row.lock_version)} ${String(row.sealed_previous_secret !== null)}`;
      const known = opened.get(key);
      const provider = known?.version === version ? known : open(row, version);
      if (provider !== known) opened.set(key, provider);
      if (provider.pending === 0) provider.breaker.follow(haltOf(row));
      return provider;
    },
    async close() {
      await writing;
      opened.clear();
    },
  };
}

async function write(
  database: Database,
  row: StoredProvider,
  transition: BreakerTransition,
): Promise<void> {
  await database.transact((sql) =>
    transition.kind === 'closed' ? recordResumed(sql, row) : recordHalt(sql, row, transition),
  );
}

/** A halt as a worker has written it. */
function haltOf({ halted_at: haltedAt, next_probe_at: probeAt }: StoredProvider) {
  if (haltedAt === null || probeAt === null) return undefined;
  return { sinceMs: Date.parse(haltedAt), probeAtMs: Date.parse(probeAt) };
}

function logTransition(log: Log, about: object, transition: BreakerTransition): void {
  if (transition.kind === 'closed') {
    log.warn({ ...about, away_ms: transition.outageMs }, 'a provider takes messages again');
    return;
  }
  const { code, probeAtMs } = transition;
  const seen = { ...about, code, next_probe_at: toTimestamp(probeAtMs) };
  log.warn(seen, 'a provider takes no messages; they wait for the next probe');
}

/** Channels of which the installation's provider accepts nothing at this moment. */
export function haltedIn({ installation }: ProviderPool, now: number): Channel[] {
  return Object.values(installation).flatMap(({ channel, breaker }) =>
    breaker.stateAt(now).kind === 'closed' ? [] : [channel],
  );
}

/** Channels of a team of which nothing is sent at this moment; `rows` are its providers. */
export function haltedOf(
  pool: ProviderPool,
  rows: readonly StoredProvider[],
  now: number,
): string[] {
  const own = new Set(rows.map(({ channel }) => channel));
  const working = new Set(
    rows.flatMap(({ channel, halted_at: haltedAt }) => (haltedAt === null ? [channel] : [])),
  );
  const shared = haltedIn(pool, now).filter((channel) => !own.has(channel));
  return [...shared, ...[...own].filter((channel) => !working.has(channel))];
}
