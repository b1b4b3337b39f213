import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { SignJWT, decodeJwt, decodeProtectedHeader } from 'jose';
import { createSigningKeys } from '../../src/platform/auth/signing-keys.ts';
import type { Endpoint } from '../../src/platform/http/endpoint.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { verdictOf } from './answers.ts';
import type { Neighbors } from './isolation.ts';
import type { Check } from './check.ts';

// The credentials and the stored state of a caller belong to a team as well. All endpoints share
// them, so one endpoint is tested.

const isAsked = ({ id }: Endpoint) => id === 'listContacts';
const ask = (caller: TestTeam, token = caller.token) =>
  caller.call('GET', '/v2/partner/contacts', { headers: { Authorization: `Bearer ${token}` } });

/** The team's token with other claims or headers, signed with the service's own key. */
export async function resign(
  api: TestApi,
  { token }: TestTeam,
  claims: Record<string, unknown>,
  header: Record<string, unknown> = {},
): Promise<string> {
  const { privateKey } = await createSigningKeys(api.db.database, api.keyring).current();
  return new SignJWT({ ...decodeJwt(token), ...claims })
    .setProtectedHeader({ ...decodeProtectedHeader(token), alg: 'ES256', ...header })
    .sign(privateKey);
}

/** A client counts in its own team only. */
async function tryTokens({ api, team, other, cells }: Neighbors): Promise<void> {
  for (const [whose, team_id] of [
    ['another', other.id],
    ['an unknown', randomUUID()],
  ]) {
    await cells.cell(`a token for ${String(whose)} team`, async () => {
      const reply = await ask(team, await resign(api, team, { team_id, jti: randomUUID() }));
      expect(verdictOf(reply)).toBe('401 token_invalid');
    });
  }
  await cells.cell('a token has the tier of its team', async () => {
    const small = await api.newTeam({ tier: 'standard' });
    const reply = await ask(small);
    expect(verdictOf(reply)).toBe('200');
    expect(reply.headers.get('ratelimit-policy')).not.toBeNull();
    expect((await ask(team)).headers.get('ratelimit-policy')).toBeNull();
  });
}

/** A secret of the same client in another team opens nothing. */
async function trySecrets({ api, team, rows, cells }: Neighbors): Promise<void> {
  const twin = randomUUID();
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: team.clientId,
    client_secret: team.clientSecret,
  });
  const signIn = () =>
    api.call('POST', '/oauth2/token', {
      raw: form.toString(),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
  await cells.cell('a secret signs in', async () => {
    expect(verdictOf(await signIn())).toBe('200');
  });
  try {
    await rows.copy(team.id, twin, ['client_secrets']);
    await rows.remove(team.id, ['client_secrets']);
    await cells.cell('a secret of another team does not', async () => {
      expect(verdictOf(await signIn())).toBe('401 invalid_client');
    });
  } finally {
    await rows.remove(twin);
  }
}

/** Usage of one team does not count for another. */
async function tryBudgets({ api, rows, cells }: Neighbors): Promise<void> {
  const first = await api.newTeam({ tier: 'standard' });
  await ask(first);
  await api.db.look(
    (sql) => sql`
      update rate_budgets set burst_tokens = -1000000, steady_tokens = -1000000 returning 1`,
  );
  const before = await rows.stateOf(first.id);
  const second = await api.newTeam({ tier: 'standard' });
  // Neighbors on both sides, whichever is found first.
  const rest = randomUUID().slice(8);
  const twins = [`00000000${rest}`, `ffffffff${rest}`];
  for (const twin of twins) await rows.copy(first.id, twin, ['rate_budgets']);
  await cells.cell('a team whose neighbor has used up its budget is served', async () => {
    expect(verdictOf(await ask(second))).toBe('200');
  });
  await cells.cell('the budget of another team is left alone', async () => {
    expect(await rows.stateOf(first.id)).toEqual(before);
  });
  for (const twin of twins) await rows.remove(twin);
}

export const callerChecks: readonly Check[] = [
  { title: 'a token is of one team', about: 'teams', appliesTo: isAsked, run: tryTokens },
  { title: 'a secret is of one team', about: 'teams', appliesTo: isAsked, run: trySecrets },
  { title: 'a budget is of one team', about: 'teams', appliesTo: isAsked, run: tryBudgets },
];
