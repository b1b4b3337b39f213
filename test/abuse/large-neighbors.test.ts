import { expect, test } from '@jest/globals';
import type { TestTeam } from '../support/api.ts';
import { useTestApi } from '../support/use-test-api.ts';

const api = useTestApi();
const contacts = '/v2/partner/contacts';
const named = (first_name: string) => ({ first_name, email: 'robin@example.com' });
const inEach = Array.from({ length: 12 }, (_, at) => at);

/** The transactions that created the contacts of a team. */
async function transactionsOf({ id }: TestTeam): Promise<Set<string>> {
  const rows = await api.db.look(
    (sql) => sql<{ xid: string }[]>`select xmin::text as xid from contacts where team_id = ${id}`,
  );
  return new Set(rows.map(({ xid }) => xid));
}

const isShared = (some: ReadonlySet<string>, others: ReadonlySet<string>) =>
  [...some].some((xid) => others.has(xid));

test('large contacts of one team do not hold up those of others in one transaction', async () => {
  const teams = await Promise.all(Array.from({ length: 3 }, () => api.newTeam()));
  const large = await api.newTeam();
  const attributes = Object.fromEntries(
    inEach.map((at) => [`text_${String(at)}`, 'x'.repeat(900)]),
  );
  const replies = await Promise.all(
    inEach.flatMap((at) => [
      large.post(contacts, { ...named('Large'), attributes }),
      ...teams.map((team) => team.post(contacts, named(`Robin ${String(at)}`))),
    ]),
  );
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201));
  const [first = new Set<string>(), ...others] = await Promise.all(teams.map(transactionsOf));
  expect(others.some((one) => isShared(first, one))).toBe(true);
  const ofLarge = await transactionsOf(large);
  for (const one of [first, ...others]) expect(isShared(ofLarge, one)).toBe(false);
});
