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
export interface WantedNotice {
  teamId: string;
  tier: string;
  channel: 'email' | 'sms';
  to: string;
  /** Address of the client. */
  from: string;
}

interface Means {
  keyring: Keyring;
  config: { sending: { notices: NoticeLimits } };
}

/**
 * Counts messages, last in their transaction since the count of the team is locked until the
 * commit. Returns for each the seconds to wait if a budget is used up; such a message is not
 * counted.
 */
export async function takeNotices(
  sql: Sql,
  means: Means,
  wanted: readonly WantedNotice[],
): Promise<(number | undefined)[]> {
  const [first] = wanted;
  if (!first) return [];
  const { teamId } = first;
  const limited = wanted.map((notice) => limitsOf(means, notice));
  const ids = [...new Set(limited.flatMap((limits) => limits.map(({ id }) => id)))];
  const budgets = new Map(
    (await lockBudgets(sql, teamId, ids)).map((budget) => [budget.subject_id, { ...budget }]),
  );
  const waits = limited.map((limits) => {
    const full = limits.find(({ id, most }) => (budgets.get(id)?.sent ?? 0) >= most);
    if (full) {
      noticeRefusals.inc({ channel: full.channel, limit: full.of });
      const since = Date.parse(budgets.get(full.id)?.since ?? '');
      return Math.max(1, Math.ceil((since + dayMs - Date.now()) / 1_000));
    }
    for (const { id } of limits) {
      const budget = budgets.get(id);
      if (budget) budget.sent += 1;
    }
    return undefined;
  });
  await writeBudgets(sql, teamId, [...budgets.values()]);
  return waits;
}

/** The same for the one message of a request. Throws 429. */
export async function spendNotice(sql: Sql, means: Means, notice: WantedNotice): Promise<void> {
  const [seconds] = await takeNotices(sql, means, [notice]);
  if (seconds === undefined) return;
  throw fail('rate_limited', {
    detail: 'Too many messages of this kind were asked for today.',
    meta: { class: 'widget', retry_after_seconds: seconds },
    headers: { 'Retry-After': String(seconds) },
  });
}

function limitsOf({ keyring, config }: Means, { teamId, tier, channel, to, from }: WantedNotice) {
  const { perNetwork, perTeam } = config.sending.notices;
  return [
    { of: 'address', subject: `${channel} to ${to.toLowerCase()}`, most: addressLimit },
    { of: 'network', subject: `from ${networkOf(from)}`, most: perNetwork },
    { of: 'team', subject: channel, most: perTeam[channel] * (tiers[tier] ?? 1) },
  ].map(({ subject, ...limit }) => ({
    ...limit,
    channel,
    id: budgetId(keyring, `notice ${teamId} ${subject}`),
  }));
}
