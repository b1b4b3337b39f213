import { beforeAll, describe, expect, test } from '@jest/globals';
import { HttpError, failAll, maxErrorBytes, renderErrors } from '../../src/platform/http/errors.ts';
import type { Problem } from '../../src/platform/http/errors.ts';
import { parseJson } from '../../src/platform/http/json.ts';
import { traceOfRun } from '../../src/platform/http/trace.ts';
import { parseDefinition } from '../../src/cohorts/definition/parse.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { Reply, TestTeam } from '../support/api.ts';

const api = useTestApi();
let team: TestTeam;
beforeAll(async () => {
  team = await api.newTeam();
});

const sizeOf = ({ body }: Reply) => Buffer.byteLength(JSON.stringify(body));
const repeated = (item: string, count: number) =>
  `[${Array.from({ length: count }, () => item).join(',')}]`;

function expectShort(reply: Reply, status: number): void {
  expect(reply.status).toBe(status);
  expect(sizeOf(reply)).toBeLessThanOrEqual(maxErrorBytes);
  expect(reply.body.errors.length).toBeLessThanOrEqual(51);
}

function expectFiftyAndMore(reply: Reply, status: number): void {
  expectShort(reply, status);
  expect(reply.body.errors).toHaveLength(51);
  expect(reply.body.errors[50].detail).toMatch(/^And at least \d+ more\.$/);
}

describe('the list of problems is bounded for', () => {
  test('texts with NUL, sent without a credential', async () => {
    const raw = repeated(String.raw`"\u0000"`, 7_000);
    const headers = { 'Content-Type': 'application/json' };
    const reply = await api.call('POST', '/v2/widget/bootstrap', { raw, headers });
    expectFiftyAndMore(reply, 422);
  });

  test('query parameters, sent without a credential', async () => {
    const names = Array.from({ length: 7_000 }, () => 'a').join('&');
    expectFiftyAndMore(await api.call('GET', `/.well-known/jwks.json?${names}`), 400);
  });

  test('query parameters of a list', async () => {
    const names = Array.from({ length: 1_200 }, (_, at) => `p${String(at)}`).join('&');
    expectShort(await team.get(`/v2/partner/contacts?${names}`), 400);
  });

  test('unknown fields of a resource', async () => {
    const fields = Array.from({ length: 9_000 }, (_, at) => [`x${String(at)}`, 1] as const);
    const reply = await team.post('/v2/partner/contacts', Object.fromEntries(fields));
    expectFiftyAndMore(reply, 422);
  });

  test('rules of a cohort', async () => {
    const raw = `{"definition":{"op":"all","rules":${repeated('0', 90_000)}}}`;
    const headers = { 'Content-Type': 'application/json' };
    const reply = await team.call('POST', '/v2/partner/cohorts/preview', { raw, headers });
    expectShort(reply, 422);
    expect(reply.body.errors[0].detail).toBe('A group has at most 100 rules.');
  });

  test('items of an all-or-nothing operation', async () => {
    const { body } = await team.get('/v2/ipaas/operations');
    const kinds: { operation_kind: string }[] = body.data;
    expect(kinds.length).toBeGreaterThan(0);
    for (const { operation_kind } of kinds) {
      const items = Array.from({ length: 100 }, () => ({ ['x'.repeat(500)]: 1 }));
      const path = `/v2/ipaas/operations/${operation_kind}`;
      const reply = await team.post(path, { items }, { 'Idempotency-Key': operation_kind });
      if (reply.status >= 400) expectShort(reply, reply.status);
    }
  });
});

describe('an answer does not repeat a long text', () => {
  test('a name of 60,000 characters', async () => {
    const reply = await team.post('/v2/partner/contacts', { ['x'.repeat(60_000)]: 1 });
    expectShort(reply, 422);
    expect(sizeOf(reply)).toBeLessThan(4_000);
  });

  test('an answer is at most 64 KB for any problem', () => {
    const meta = { names: Array.from({ length: 9_000 }, () => '\0'.repeat(9_000)) };
    const problem: Problem = { code: 'validation_failed', detail: '\0'.repeat(90_000), meta };
    const problems = Array.from({ length: 60 }, () => problem);
    const { errors } = renderErrors(failAll(problems), traceOfRun('request'), 'http://onward.test');
    expect(Buffer.byteLength(JSON.stringify({ errors }))).toBeLessThanOrEqual(maxErrorBytes);
    expect(errors.at(-1)?.detail).toMatch(/^And at least \d+ more\.$/);
    expect(failAll(problems).message.length).toBeLessThan(6_000);
  });
});

describe('a walk ends at the limit of reported problems', () => {
  function problemsOf(read: () => unknown): readonly Problem[] {
    try {
      read();
    } catch (error) {
      if (error instanceof HttpError) return error.problems;
      throw error;
    }
    return [];
  }

  test('over the texts of a body', () => {
    const body = Buffer.from(repeated(String.raw`"\u0000"`, 100_000));
    const problems = problemsOf(() => parseJson(body));
    expect(problems).toHaveLength(51);
    expect(problems[50]?.detail).toBe('And at least 1 more.');
  });

  test('over the rules of groups within groups', () => {
    const group = { op: 'all', rules: Array.from({ length: 100 }, () => 0) };
    const groups = { op: 'all', rules: Array.from({ length: 100 }, () => group) };
    const read = parseDefinition(groups);
    expect('problems' in read && read.problems).toHaveLength(51);
  });
});

test('an answer about items with many problems names ten of each and stays bounded', async () => {
  const team = await api.newTeam();
  const item = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`k${String(at)}`, 0]));
  const items = Array.from({ length: 100 }, () => item);
  const path = '/v2/ipaas/operations/contacts.bulk_upsert/execute';
  const reply = await team.post(path, { items });
  expect(reply.body.summary).toMatchObject({ failed: 100 });
  const [first] = reply.body.results;
  expect(first.errors).toHaveLength(11);
  expect(first.errors.at(-1).detail).toMatch(/^And at least \d+ more\.$/);
  expect(JSON.stringify(reply.body).length).toBeLessThan(200_000);
});
