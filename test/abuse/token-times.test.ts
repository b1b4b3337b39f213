import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { createRecipients } from '../../src/platform/auth/recipients.ts';
import { createSigningKeys } from '../../src/platform/auth/signing-keys.ts';
import { createWidgetTokens } from '../../src/platform/auth/widget-tokens.ts';
import { tokenLifetimeSeconds } from '../../src/platform/auth/jwt.ts';
import { aTokenService, closeServices, refusalOf } from '../platform/auth/a-service.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { aScene, aToken } from '../widget/a-widget.ts';

let api: TestApi;
let scene: Awaited<ReturnType<typeof aScene>>;

beforeAll(async () => {
  api = await startTestApi();
  scene = await aScene(api);
});
afterAll(async () => {
  await closeServices();
  await api.stop();
});

async function everyKind(): Promise<[kind: string, jwt: string][]> {
  const { team, widgetId, journey } = scene;
  const withContact = { contact_id: journey.contactId };
  return [
    ['partner', (await team.withScopes('partner:contacts:read')).token],
    ['widget for a contact', await aToken(team, widgetId, withContact)],
    [
      'widget for a known contact',
      await aToken(team, widgetId, { ...withContact, assurance: 'authenticated' }),
    ],
  ];
}
const claimsOf = (jwt: string) => decodeJwt(jwt.replace(/^dow_/, ''));

test('the times of every token are whole seconds, and its lifetime is exactly the documented hour', async () => {
  for (const [kind, jwt] of await everyKind()) {
    const { iat, exp, nbf = 0 } = claimsOf(jwt);
    expect([kind, ...[iat, exp, nbf].map(Number.isInteger)]).toEqual([kind, true, true, true]);
    expect([kind, Number(exp) - Number(iat)]).toEqual([kind, tokenLifetimeSeconds]);
    expect(tokenLifetimeSeconds).toBe(3_600);
  }
});

test('a revocation ends tokens issued earlier in its second, and no later tokens', async () => {
  const { tokens } = aTokenService(api, 1);
  const keys = createSigningKeys(api.db.database, api.keyring);
  const widgetTokens = createWidgetTokens(keys, api.config.publicBaseUrl);
  const recipients = createRecipients(api.db.database, widgetTokens);
  const { team, widgetId } = scene;
  const partner = (await team.withScopes('partner:contacts:read')).token;
  const widget = await aToken(team, widgetId, { contact_id: scene.journey.contactId });
  const verifiers = [
    ['clients', partner, () => aTokenService(api, 1).tokens.verify(partner, '127.0.0.1')],
    ['clients', widget, () => recipients.ofToken(widget)],
    ['widget_instances', widget, () => recipients.ofToken(widget)],
  ] as const;
  for (const [table, token, verify] of verifiers) {
    const issuedAtMs = Number(claimsOf(token)['iat_ms']);
    const revokeAt = (ms: number) =>
      api.db.look(
        (sql) => sql`
          update ${sql(table)} set tokens_valid_after = ${new Date(ms).toISOString()}
          where team_id = ${team.id}`,
      );
    await revokeAt(issuedAtMs);
    expect([table, await refusalOf(verify())]).toEqual([table, 'accepted']);
    await revokeAt(issuedAtMs + 1);
    expect([table, await refusalOf(verify())]).toEqual([table, 'token_invalid']);
    await revokeAt(0);
  }
  expect(await refusalOf(tokens.verify(partner, '127.0.0.1'))).toBe('accepted');
});
