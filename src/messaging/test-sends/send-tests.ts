import { randomUUID } from 'node:crypto';
import type { Keyring } from '../../platform/auth/keyring.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { failAll } from '../../platform/http/errors.ts';
import type { Problem } from '../../platform/http/errors.ts';
import type { MessageRow } from '../../campaigns/messages/message.ts';
import { masked } from '../../campaigns/messages/rules.ts';
import { isAddressSuppressed } from '../../contacts/suppressions/suppressed-address.ts';
import { countBudgets, usedUp } from '../notices/budgets.ts';
import { digestsOf, formProblem, normalized } from '../test-recipients/address.ts';
import { insertTestSends, isConfirmed } from './queries.ts';

/** Addresses that test sends of a team go to within a day. */
const maxTestSends = 50;

/** A message on its way to somebody who tries it; it counts nowhere. */
export interface TestSend {
  id: string;
  to_masked: string;
}

type Place = Pick<MessageRow, 'team_id' | 'channel'>;

const refusals = {
  address_not_confirmed:
    'Test sends go only to confirmed test recipients, and e-mails also to active users of the ' +
    'team. Add the address by POST /v2/partner/test-recipients, and open the link that it gets.',
  address_suppressed:
    'The address is suppressed. Lift the suppression only if its owner asks for it.',
};

/** The reason why no test goes to an address; undefined where one may. */
export async function refusalOf(
  sql: Sql,
  keyring: Keyring,
  { team_id: teamId, channel }: Place,
  address: string,
): Promise<keyof typeof refusals | undefined> {
  const digests = digestsOf(keyring, channel, address);
  if (!(await isConfirmed(sql, teamId, { channel, address, digests }))) {
    return 'address_not_confirmed';
  }
  const isSuppressed = await isAddressSuppressed(sql, keyring, { teamId, channel }, address);
  return isSuppressed ? 'address_suppressed' : undefined;
}

/** Seal context of the address of a test. */
export function testAddressSealContext(teamId: string, id: string): string[] {
  return ['message_sends', 'test_address', teamId, id];
}

/**
 * Queues the current message for each of the addresses, which are sealed. Throws 422 if one of them
 * gets no tests, and 429 if they are more than the team has left today.
 */
export async function sendTests(
  sql: Sql,
  keyring: Keyring,
  message: MessageRow,
  addresses: readonly { to: string; pointer: string }[],
): Promise<TestSend[]> {
  const { team_id, id: message_id, channel } = message;
  const problems: Problem[] = [];
  const sends: (TestSend & { sealed: string })[] = [];
  for (const { to, pointer } of addresses) {
    const problem = await problemOf(sql, keyring, message, { to, pointer });
    if (problem) problems.push(problem);
    const address = normalized(channel, to);
    const id = randomUUID();
    const sealed = keyring.seal(address, testAddressSealContext(team_id, id));
    sends.push({ id, to_masked: masked(address), sealed });
  }
  if (problems.length > 0) throw failAll(problems);
  await insertTestSends(sql, team_id, { message_id, channel }, sends);
  await spendTests(sql, keyring, team_id, sends.length);
  return sends.map(({ id, to_masked }) => ({ id, to_masked }));
}

async function problemOf(
  sql: Sql,
  keyring: Keyring,
  message: Place,
  { to, pointer }: { to: string; pointer: string },
): Promise<Problem | undefined> {
  const misfit = formProblem(message.channel, to, pointer);
  if (misfit) return misfit;
  const rule = await refusalOf(sql, keyring, message, normalized(message.channel, to));
  return rule && { code: 'validation_failed', detail: refusals[rule], meta: { pointer, rule } };
}

/** Last in its transaction, since the count is locked until the commit. */
async function spendTests(sql: Sql, keyring: Keyring, teamId: string, count: number) {
  const budget = { of: 'team', subject: 'test sends', most: maxTestSends } as const;
  const waits = await countBudgets(
    sql,
    keyring,
    teamId,
    Array.from({ length: count }, () => [budget]),
  );
  const full = waits.find((wait) => wait !== undefined);
  if (!full) return;
  throw usedUp(full.seconds, {
    detail: `A team sends at most ${String(maxTestSends)} tests within a day.`,
    rateClass: 'execute',
  });
}
