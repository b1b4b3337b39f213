import { groupBy } from '../../platform/group-by.ts';
import { toTimestamp } from '../../platform/time/rules.ts';
import type { StoredProvider } from '../sending-providers/queries.ts';
import type { ArchiveOrder } from '../archived-messages/seal.ts';
import type { OutgoingMessage } from '../providers/sender.ts';
import { createConcurrencyWindow } from './concurrency-window.ts';
import type { LiveProvider, ProviderPool } from './provider-pool.ts';
import type { Rooms } from './claiming/queries.ts';
import type { Channel, ClaimedSend } from './queries.ts';
import type { HaltedTeam, OfferedTo } from './waiting/queries.ts';

/** A message that is ready to be sent. */
export interface Rendered {
  send: ClaimedSend;
  message: OutgoingMessage;
  isProbe: boolean;
  archive: ArchiveOrder | undefined;
}

type Window = ReturnType<typeof createConcurrencyWindow<Rendered>>;

/** Where a message goes now. */
export type Route =
  | { kind: 'provider'; provider: LiveProvider; isProbe: boolean }
  | { kind: 'wait'; untilMs: number }
  /** No provider of its team has its sender. */
  | { kind: 'unknown_sender' };

type Addressed = Pick<ClaimedSend, 'team_id' | 'channel'>;
type Passed = Addressed & Pick<ClaimedSend, 'providers_passed'>;

/** Providers of a team's channel, in the order of their priority. */
interface TeamRoute extends Addressed {
  providers: readonly LiveProvider[];
  usedAtMs: number;
}

/** Lanes that share the slots of a process. */
const lanes = 4;
/** A probe of another lane is in flight. */
const probingMs = 500;
/** A team that has sent nothing for so long is forgotten. */
const forgetMs = 60_000;

const channels = ['email', 'sms', 'push'] as const;
const keyOf = ({ team_id, channel }: Addressed) => `${channel} ${team_id}`;

/**
 * The providers that a lane sends through: which one a message goes to, and how many messages there
 * is room for. Teams with providers of their own are learned from what was claimed.
 */
export function createLaneProviders(
  { installation, none, ofTeam }: ProviderPool,
  offeredTo: OfferedTo,
) {
  const windows = new Map<LiveProvider, Window>();
  const own = new Map<string, TeamRoute>();

  function windowOf(provider: LiveProvider): Window {
    const known = windows.get(provider);
    if (known) return known;
    const created = createConcurrencyWindow<Rendered>(Math.ceil(provider.sender.places / lanes));
    windows.set(provider, created);
    return created;
  }

  const isClosed = ({ breaker }: LiveProvider, nowMs: number) =>
    breaker.stateAt(nowMs).kind === 'closed';

  /** Those that accept messages; those that hang only where there is no other. */
  function working(providers: readonly LiveProvider[], nowMs: number): readonly LiveProvider[] {
    const closed = providers.filter((provider) => isClosed(provider, nowMs));
    const moving = closed.filter((provider) => !windowOf(provider).hangs(nowMs));
    return moving.length > 0 ? moving : closed;
  }

  /** A provider whose probe is due, if it is preferred to the one that works. */
  function probed(providers: readonly LiveProvider[], nowMs: number): LiveProvider | undefined {
    const [preferred] = working(providers, nowMs);
    const before = preferred ? providers.slice(0, providers.indexOf(preferred)) : providers;
    return before.find(({ breaker }) => breaker.stateAt(nowMs).kind === 'due');
  }

  function roomOf(providers: readonly LiveProvider[], nowMs: number, isUrgent: boolean): number {
    const [provider] = working(providers, nowMs);
    const room = provider ? windowOf(provider).capacity(nowMs, isUrgent) : 0;
    return room === 0 && probed(providers, nowMs) ? 1 : room;
  }

  /** Time of the next probe where every provider is halted; undefined where one is not. */
  function haltedUntil(providers: readonly LiveProvider[], nowMs: number): number | undefined {
    let untilMs = Infinity;
    for (const { breaker } of providers) {
      const state = breaker.stateAt(nowMs);
      if (state.kind !== 'open') return undefined;
      untilMs = Math.min(untilMs, state.probeAtMs);
    }
    return untilMs;
  }

  const providersOf = (send: Addressed): readonly LiveProvider[] =>
    own.get(keyOf(send))?.providers ?? [
      ((offeredTo?.includes(send.team_id) ?? true) ? installation : none)[send.channel],
    ];

  /** Those that have the number or name that a text message names; all where it names none. */
  const fittingOf = (send: Addressed, sender: string | null): readonly LiveProvider[] =>
    providersOf(send).filter((provider) => sender === null || provider.hasSender(sender));

  const isBusyWith = (channel: Channel) =>
    [...windows].some(([provider, window]) => provider.channel === channel && window.isBusy());

  /** Forgets the windows of teams that send no more. */
  function forgetWindows(): void {
    const known = new Set([...own.values()].flatMap(({ providers }) => providers));
    for (const [provider, window] of windows) {
      if (provider.isOfTeam && !window.isBusy() && !known.has(provider)) windows.delete(provider);
    }
  }

  return {
    windowOf,
    windows: () => [...windows],
    isBusy: () => [...windows.values()].some((window) => window.isBusy()),

    /** Learns the providers of the teams of claimed messages, as their rows are now. */
    learn(claimed: readonly Addressed[], rows: readonly StoredProvider[], nowMs: number): void {
      const stored = groupBy(rows, keyOf);
      for (const { team_id, channel } of claimed) {
        const key = keyOf({ team_id, channel });
        const providers = stored.get(key)?.map(ofTeam) ?? [];
        const isOffered = offeredTo?.includes(team_id) ?? true;
        if (providers.length === 0 && !isOffered) providers.push(none[channel]);
        if (providers.length === 0) own.delete(key);
        else own.set(key, { team_id, channel, providers, usedAtMs: nowMs });
      }
    },

    /**
     * Room for the messages of each channel, and of each team with providers of its own. With
     * `isLook`, all channels are looked at, also for teams that are not known yet.
     */
    rooms(nowMs: number, { isUrgent, isLook }: { isUrgent: boolean; isLook: boolean }): Rooms {
      const rooms: Rooms = { shared: [], own: [] };
      for (const [key, { team_id, channel, providers, usedAtMs }] of own) {
        if (nowMs - usedAtMs > forgetMs) own.delete(key);
        else rooms.own.push({ team_id, channel, room: roomOf(providers, nowMs, isUrgent) });
      }
      for (const channel of channels) {
        const room = roomOf([installation[channel]], nowMs, isUrgent);
        const isWanted =
          (room > 0 && isBusyWith(channel)) ||
          rooms.own.some((team) => team.channel === channel && team.room > 0);
        if (isWanted || isLook) rooms.shared.push({ channel, room });
      }
      forgetWindows();
      return rooms;
    },

    /** Channels of the installation whose due messages wait for a probe. */
    haltedChannels: (nowMs: number) =>
      channels.flatMap((channel) => {
        const untilMs = haltedUntil([installation[channel]], nowMs);
        return untilMs === undefined ? [] : [{ channel, until: toTimestamp(untilMs) }];
      }),

    /** The same of teams with providers of their own. */
    haltedTeams: (nowMs: number): HaltedTeam[] =>
      [...own.values()].flatMap(({ team_id, channel, providers }) => {
        const untilMs = haltedUntil(providers, nowMs);
        if (untilMs === undefined) return [];
        return [{ team_id, channel, until: toTimestamp(untilMs) }];
      }),

    /**
     * Where a message goes; `sender` is the number or name that a text message names. The
     * providers that have not taken it are passed over, until no other is left.
     */
    routeOf(send: Passed, sender: string | null, nowMs: number): Route {
      const fitting = fittingOf(send, sender);
      if (fitting.length === 0) return { kind: 'unknown_sender' };
      const probe = probed(fitting, nowMs);
      const accepting = working(fitting, nowMs);
      const provider = probe ?? accepting[send.providers_passed % accepting.length];
      if (provider) return { kind: 'provider', provider, isProbe: provider === probe };
      return { kind: 'wait', untilMs: haltedUntil(fitting, nowMs) ?? nowMs + probingMs };
    },

    /** Counts a claimed message that no provider gets now. */
    skip(send: Addressed, nowMs: number): void {
      windowOf(providersOf(send)[0] ?? none[send.channel]).skip(nowMs);
    },

    /** The sender of the provider that a team prefers. */
    preferred: (send: Addressed) => (providersOf(send)[0] ?? none[send.channel]).sender,

    /** When a message is tried again whose provider has been halted. */
    retryAt(send: Addressed, probeAtMs: number, nowMs: number): number {
      return working(providersOf(send), nowMs).length > 0 ? nowMs : probeAtMs;
    },

    /**
     * Whether the provider that has not taken the message is passed over by the next attempt, and
     * whether another one is there to take it. A halted one is out of the way already.
     */
    passOver(send: Passed, sender: string | null, provider: LiveProvider, nowMs: number) {
      const isPassed = isClosed(provider, nowMs);
      const passed = send.providers_passed + Number(isPassed);
      return { isPassed, hasNext: passed < working(fittingOf(send, sender), nowMs).length };
    },
  };
}

export type LaneProviders = ReturnType<typeof createLaneProviders>;
