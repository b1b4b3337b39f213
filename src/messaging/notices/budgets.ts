import { budgetId } from '../../platform/auth/budget-id.ts';
import type { Keyring } from '../../platform/auth/keyring.ts';
import type { NoticeLimits } from '../../platform/config.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { networkOf } from '../../platform/http/client-address.ts';
import { fail } from '../../platform/http/errors.ts';
import { noticeRefusals } from '../../platform/http/metrics.ts';
import { tiers } from '../../platform/http/rate-limit.ts';
import { lockBudgets, writeBudgets } from './queries.ts';

/** Messages for one address or number within a day, whichever contacts have it. */
const addressLimit = 20;
const dayMs = 86_400_000;

/** A requested message, with its address and the source of the request. */
export interface RequestedNotice {
  teamId: string;
  tier: string;
  channel: 'email' | 'sms' | 'push';
  to: string;
  /** Address of the client. */
  from: string;
  /** Class of the request; `widget` unless given. */
  rateClass?: 'write';
  /** A limit of the team for messages of this kind, of the standard tier. */
  further?: { subject: string; most: number };
}

/** A count of a team within a day, and its limit. */
export interface Budget {
  /** For the metric. */
  of: 'address' | 'network' | 'team';
  subject: string;
  most: number;
}

interface NoticeDependencies {
  keyring: Keyring;
  config: { sending: { notices: NoticeLimits } };
}

/**
 * Counts messages, last in their transaction since the count of the team is locked until the
 * commit. Returns for each the seconds to wait if a budget is used up; such a message is not
 * counted.
 */
export async function countNotices(
  sql: Sql,
  { keyring, config }: NoticeDependencies,
  requested: readonly RequestedNotice[],
): Promise<(number | undefined)[]> {
  const [first] = requested;
  if (!first) return [];
  const limited = requested.map((notice) => budgetsOf(config.sending.notices, notice));
  const waits = await countBudgets(sql, keyring, first.teamId, limited);
  return requested.map(({ channel }, at) => {
    const wait = waits[at];
    if (wait) noticeRefusals.inc({ channel, limit: wait.of });
    return wait?.seconds;
  });
}

/** The same for the one message of a request. Throws 429. */
export async function countNotice(
  sql: Sql,
  means: NoticeDependencies,
  notice: RequestedNotice,
): Promise<void> {
  const [seconds] = await countNotices(sql, means, [notice]);
  if (seconds === undefined) return;
  throw usedUp(seconds, {
    detail: 'Too many messages of this kind were requested today.',
    rateClass: notice.rateClass ?? 'widget',
  });
}

/** The error of a budget of a day that is used up. */
export function usedUp(
  seconds: number,
  { detail, rateClass }: { detail: string; rateClass: 'widget' | 'write' | 'execute' },
) {
  return fail('rate_limited', {
    detail,
    meta: { class: rateClass, retry_after_seconds: seconds },
    headers: { 'Retry-After': String(seconds) },
  });
}

/**
 * Takes one from each budget of each entry. Returns the budget that is used up and the seconds to
 * wait for entries of which nothing was taken.
 */
export async function countBudgets(
  sql: Sql,
  keyring: Keyring,
  teamId: string,
  requested: readonly (readonly Budget[])[],
): Promise<((Budget & { seconds: number }) | undefined)[]> {
  const idOf = ({ subject }: Budget) => budgetId(keyring, `notice ${teamId} ${subject}`);
  const ids = [...new Set(requested.flatMap((entry) => entry.map(idOf)))];
  const counts = new Map(
    (await lockBudgets(sql, teamId, ids)).map((count) => [count.subject_id, { ...count }]),
  );
  const waits = requested.map((entry) => {
    const full = entry.find((budget) => (counts.get(idOf(budget))?.sent ?? 0) >= budget.most);
    if (full) {
      const since = Date.parse(counts.get(idOf(full))?.since ?? '');
      return { ...full, seconds: Math.max(1, Math.ceil((since + dayMs - Date.now()) / 1_000)) };
    }
    for (const budget of entry) {
      const count = counts.get(idOf(budget));
      if (count) count.sent += 1;
    }
    return undefined;
  });
  await writeBudgets(sql, teamId, [...counts.values()]);
  return waits;
}

function budgetsOf(
  { perNetwork, perTeam }: NoticeLimits,
  { tier, channel, to, from, further }: RequestedNotice,
): Budget[] {
  const factor = tiers[tier] ?? 1;
  const ofTeam = (subject: string, most: number): Budget => {
    return { of: 'team', subject, most: most * factor };
  };
  return [
    { of: 'address', subject: `${channel} to ${to.toLowerCase()}`, most: addressLimit },
    { of: 'network', subject: `from ${networkOf(from)}`, most: perNetwork },
    // Push notifications cost nothing, and have no setting.
    ...(channel === 'push' ? [] : [ofTeam(channel, perTeam[channel])]),
    ...(further ? [ofTeam(further.subject, further.most)] : []),
  ];
}
