import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { actors, inertCreations } from '../../src/app/actors.ts';
import { endpoints } from '../../src/app/endpoints.ts';
import { isForRecipients, isScoped } from '../../src/platform/http/endpoint.ts';
import type { Endpoint } from '../../src/platform/http/endpoint.ts';
import { knownScopes } from '../../src/team/oauth2/endpoints.ts';
import { sampleOf } from '../contract/samples.ts';
import { grants } from '../contract/scoped.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';

// A client makes something that acts later, with rights that the client itself does not have.

const api = useTestApi();
const known = knownScopes(endpoints);
const only = new Map<string, TestTeam>();
let team: TestTeam;

beforeAll(async () => {
  team = await api.newTeam();
  for (const scope of known) only.set(scope, await team.withScopes(scope));
});

const named = actors.flatMap(({ operations }) => operations);

/** Calls that make something, and that are in no list. */
const withoutRow = (served: readonly Endpoint[]) =>
  served
    .filter((endpoint) => isScoped(endpoint.scope) && !isForRecipients(endpoint))
    .filter(({ method, status }) => method === 'POST' && (status === 201 || status === 202))
    .map(({ id }) => id)
    .filter((id) => ![...named, ...inertCreations].includes(id));

test('a further way of making something is noticed', () => {
  const [known] = endpoints.filter(({ id }) => id === 'createWebhookSubscription');
  if (!known) throw new Error('no such endpoint');
  const further = { ...known, id: 'createForwardingRule' };
  expect(withoutRow([...endpoints, further])).toEqual(['createForwardingRule']);
});

test('every way of making something is in the matrix, or acts no more after the call', () => {
  const listed = [...named, ...inertCreations];
  expect(withoutRow(endpoints)).toEqual([]);
  expect(new Set(listed).size).toBe(listed.length);
  const ids = new Set(endpoints.map(({ id }) => id));
  expect(listed.filter((id) => !ids.has(id))).toEqual([]);
});

const guarded = actors.flatMap(({ operations, needs }) =>
  operations.flatMap((id) => {
    const endpoint = endpoints.find((one) => one.id === id);
    const always = needs.filter(({ when }) => when === undefined).flatMap(({ scopes }) => scopes);
    return endpoint ? [[id, endpoint, always] as const] : [];
  }),
);

test.each(guarded)(
  'no scope alone makes more of %s than it opens',
  async (id, endpoint, always) => {
    const { path, body, headers } = await sampleOf(team, endpoint);
    for (const [scope, client] of only) {
      const needed = [endpoint.scope, ...always];
      if (needed.every((one) => grants(scope, one))) continue;
      const { status, body: answer } = await client.call(endpoint.method, path, { body, headers });
      expect([id, scope, status, answer.errors?.[0].code]).toEqual([
        id,
        scope,
        401,
        'scope_missing',
      ]);
    }
  },
);

const conditional = actors.flatMap(({ operations, needs }) =>
  operations.flatMap((id) =>
    needs.flatMap(({ when, scopes }) => (when === undefined ? [] : [[id, when, scopes] as const])),
  ),
);
const bodyFor: Readonly<Record<string, (when: string) => object | undefined>> = {
  createSftpCredentials: (when) => ({
    ...{ name: 'files', generate_key_pair: true },
    purpose: when.replace('purpose ', ''),
  }),
  createExport: (when) => ({ kind: when.replace('list ', '') }),
  createBatchOperation: (operation_kind) => ({ operation_kind, items: [{}] }),
};

test.each(conditional.filter(([id]) => id in bodyFor))(
  '%s for %s needs the scopes of its effect',
  async (id, when, scopes) => {
    const endpoint = endpoints.find((one) => one.id === id);
    if (!endpoint) throw new Error('no such endpoint');
    const client = only.get(endpoint.scope);
    if (scopes.every((scope) => grants(endpoint.scope, scope))) return;
    const headers = { 'Idempotency-Key': randomUUID() };
    const reply = await client?.post(endpoint.path, bodyFor[id]?.(when), headers);
    expect([id, when, reply?.status, reply?.body.errors[0].code]).toEqual([
      ...[id, when, 401, 'scope_missing'],
    ]);
  },
);
