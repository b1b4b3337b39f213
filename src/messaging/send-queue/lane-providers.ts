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
export class LaneProviders {
  readonly #pool: ProviderPool;
  readonly #offeredTo: OfferedTo;
  readonly #windows = new Map<LiveProvider, Window>();
  readonly #own = new Map<string, TeamRoute>();

  constructor(pool: ProviderPool, offeredTo: OfferedTo) {
    this.#pool = pool;
    this.#offeredTo = offeredTo;
  }

  /** Learns the providers of the teams of claimed messages, as their rows are now. */
  learn(claimed: readonly Addressed[], rows: readonly StoredProvider[], nowMs: number): void {
    const { none, ofTeam } = this.#pool;
    const stored = groupBy(rows, keyOf);
    for (const { team_id, channel } of claimed) {
      const key = keyOf({ team_id, channel });
      const providers = stored.get(key)?.map(ofTeam) ?? [];
      if (providers.length === 0 && !this.#isOffered(team_id)) providers.push(none[channel]);
      if (providers.length === 0) this.#own.delete(key);
      else this.#own.set(key, { team_id, channel, providers, usedAtMs: nowMs });
    }
  }

  /**
   * Room for the messages of each channel, and of each team with providers of its own. With
   * `isLook`, all channels are looked at, also for teams that are not known yet.
   */
  rooms(nowMs: number, { isUrgent, isLook }: { isUrgent: boolean; isLook: boolean }): Rooms {
    const rooms: Rooms = { shared: [], own: [] };
    for (const [key, { team_id, channel, providers, usedAtMs }] of this.#own) {
      if (nowMs - usedAtMs > forgetMs) this.#own.delete(key);
      else rooms.own.push({ team_id, channel, room: this.#roomOf(providers, nowMs, isUrgent) });
    }
    for (const channel of channels) {
      const room = this.#roomOf([this.#pool.installation[channel]], nowMs, isUrgent);
      const isWanted =
        (room > 0 && this.#isBusyWith(channel)) ||
        rooms.own.some((team) => team.channel === channel && team.room > 0);
      if (isWanted || isLook) rooms.shared.push({ channel, room });
    }
    this.#forgetWindows();
    return rooms;
  }

  #roomOf(providers: readonly LiveProvider[], nowMs: number, isUrgent: boolean): number {
    const [provider] = this.#working(providers, nowMs);
    const room = provider ? this.windowOf(provider).capacity(nowMs, isUrgent) : 0;
    return room === 0 && this.#probed(providers, nowMs) ? 1 : room;
  }

  /** Forgets the windows of teams that send no more. */
  #forgetWindows(): void {
    const known = new Set([...this.#own.values()].flatMap(({ providers }) => providers));
    for (const [provider, window] of this.#windows) {
      if (!provider.isOfTeam || window.isBusy() || known.has(provider)) continue;
      this.#windows.delete(provider);
    }
  }

  /** Channels of the installation whose due messages wait for a probe. */
  haltedChannels(nowMs: number): { channel: Channel; until: string }[] {
    return channels.flatMap((channel) => {
      const untilMs = haltedUntil([this.#pool.installation[channel]], nowMs);
      return untilMs === undefined ? [] : [{ channel, until: toTimestamp(untilMs) }];
    });
  }

  /** The same of teams with providers of their own. */
  haltedTeams(nowMs: number): HaltedTeam[] {
    return [...this.#own.values()].flatMap(({ team_id, channel, providers }) => {
      const untilMs = haltedUntil(providers, nowMs);
      if (untilMs === undefined) return [];
      return [{ team_id, channel, until: toTimestamp(untilMs) }];
    });
  }

  /**
   * Where a message goes; `sender` is the number or name that a text message names. The
   * providers that have not taken it are passed over, until no other is left.
   */
  routeOf(send: Passed, sender: string | null, nowMs: number): Route {
    const fitting = this.#fittingOf(send, sender);
    if (fitting.length === 0) return { kind: 'unknown_sender' };
    const probe = this.#probed(fitting, nowMs);
    const accepting = this.#working(fitting, nowMs);
    const provider = probe ?? accepting[send.providers_passed % accepting.length];
    if (provider) return { kind: 'provider', provider, isProbe: provider === probe };
    return { kind: 'wait', untilMs: haltedUntil(fitting, nowMs) ?? nowMs + probingMs };
  }

  /** Counts a claimed message that no provider gets now. */
  skip(send: Addressed, nowMs: number): void {
    this.windowOf(this.#preferredOf(send)).skip(nowMs);
  }

  /** The sender of the provider that a team prefers. */
  preferred(send: Addressed): LiveProvider['sender'] {
    return this.#preferredOf(send).sender;
  }

  #preferredOf(send: Addressed): LiveProvider {
    return this.#providersOf(send)[0] ?? this.#pool.none[send.channel];
  }

  /** When a message is tried again whose provider has been halted. */
  retryAt(send: Addressed, probeAtMs: number, nowMs: number): number {
    return this.#working(this.#providersOf(send), nowMs).length > 0 ? nowMs : probeAtMs;
  }

  /**
   * Whether the provider that has not taken the message is passed over by the next attempt, and
   * whether another one is there to take it. A halted one is out of the way already.
   */
  passOver(send: Passed, sender: string | null, provider: LiveProvider, nowMs: number) {
    const isPassed = isClosed(provider, nowMs);
    const passed = send.providers_passed + Number(isPassed);
    return {
      isPassed,
      hasNext: passed < this.#working(this.#fittingOf(send, sender), nowMs).length,
    };
  }

  windowOf(provider: LiveProvider): Window {
    const known = this.#windows.get(provider);
    if (known) return known;
    const created = createConcurrencyWindow<Rendered>(Math.ceil(provider.sender.places / lanes));
    this.#windows.set(provider, created);
    return created;
  }

  windows(): [LiveProvider, Window][] {
    return [...this.#windows];
  }

  isBusy(): boolean {
    return [...this.#windows.values()].some((window) => window.isBusy());
  }

  #isBusyWith(channel: Channel): boolean {
    return [...this.#windows].some(
      ([provider, window]) => provider.channel === channel && window.isBusy(),
    );
  }

  /** Those that have the number or name that a text message names; all where it names none. */
  #fittingOf(send: Addressed, sender: string | null): readonly LiveProvider[] {
    return this.#providersOf(send).filter(
      (provider) => sender === null || provider.hasSender(sender),
    );
  }

  #providersOf(send: Addressed): readonly LiveProvider[] {
    const { installation, none } = this.#pool;
    return (
      this.#own.get(keyOf(send))?.providers ?? [
        (this.#isOffered(send.team_id) ? installation : none)[send.channel],
      ]
    );
  }

  /** Whether a team may use the providers of the installation. */
  #isOffered(teamId: string): boolean {
    return this.#offeredTo?.includes(teamId) ?? true;
  }

  /** A provider whose probe is due, if it is preferred to the one that works. */
  #probed(providers: readonly LiveProvider[], nowMs: number): LiveProvider | undefined {
    const [preferred] = this.#working(providers, nowMs);
    const before = preferred ? providers.slice(0, providers.indexOf(preferred)) : providers;
    return before.find(({ breaker }) => breaker.stateAt(nowMs).kind === 'due');
  }

  /** Those that accept messages; those that hang only where there is no other. */
  #working(providers: readonly LiveProvider[], nowMs: number): readonly LiveProvider[] {
    const closed = providers.filter((provider) => isClosed(provider, nowMs));
    const moving = closed.filter((provider) => !this.windowOf(provider).hangs(nowMs));
    return moving.length > 0 ? moving : closed;
  }
}

const isClosed = ({ breaker }: LiveProvider, nowMs: number) =>
  breaker.stateAt(nowMs).kind === 'closed';

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
