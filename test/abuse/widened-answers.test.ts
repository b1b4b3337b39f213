import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { useTestApi } from '../support/use-test-api.ts';

const api = useTestApi();

test('a token without the sensitive scope does not receive a stored answer with a date of birth', async () => {
  const team = await api.newTeam();
  const body = { unique_id: randomUUID(), date_of_birth: '1990-12-10' };
  const headers = { 'Idempotency-Key': randomUUID() };
  const send = (token: string) =>
    api.call('POST', '/v2/partner/contacts', {
      body,
      headers: { ...headers, Authorization: `Bearer ${token}` },
    });
  const first = await send(team.token);
  expect(first.status).toBe(201);
  expect(first.body.date_of_birth).toBe('1990-12-10');
  // The same client, by a token that asks for less.
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: team.clientId,
    client_secret: team.clientSecret,
    scope: 'partner:contacts:write partner:contacts:read',
  });
  const issued = await api.call('POST', '/oauth2/token', {
    raw: form.toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  });
  const narrow = String(issued.body.access_token);
  const repeated = await send(narrow);
  expect(repeated.status).toBe(422);
  expect(repeated.body.errors[0].code).toBe('idempotency_key_reused');
  expect(JSON.stringify(repeated.body)).not.toContain('1990-12-10');
  expect((await send(team.token)).headers.get('idempotent-replayed')).toBe('true');
});
