import { beforeEach, expect, test } from '@jest/globals';
import type { Sql } from '../../src/platform/database/sql.ts';
import { insights } from '../../src/insights/answers.ts';
import { addedValueByTime } from '../../src/insights/answers/added-value-by-time.ts';
import { timeToLiveMs, renew } from '../../src/insights/cache/cache.ts';
import {
  limitStatements,
  listStaleAnswers,
  pruneAnswers,
} from '../../src/insights/cache/queries.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { eventually, untilTrue } from '../support/eventually.ts';
import { aCompleteTemplate } from '../campaigns/a-template.ts';
import { judges } from './judge.ts';
import { drawing, liveALife } from './rows.ts';

const advanced = '/v2/partner/insights/advanced';
const path = `${advanced}/overall-number-of-campaigns`;
const api = useTestApi({ INSIGHTS_CACHE_MIN_MS: '0' });
let team: TestTeam;

// Every answer is cached, however fast it was computed.
beforeEach(async () => {
  team = await api.newTeam();
});

const keptOf = (of: TestTeam) =>
  api.db.look(
    (sql) => sql<{ key: string; expires_at: string; asked_at: string; is_answered: boolean }[]>`
      select key, expires_at, asked_at, answer is not null as is_answered from insight_cache where team_id = ${of.id}`,
  );
/** Milliseconds since the last request for the only answer of a team. */
const ageOf = async (of: TestTeam) =>
  Date.now() - Date.parse((await keptOf(of))[0]?.asked_at ?? '');
const write = <T>(work: (sql: Sql) => Promise<T>) => api.db.database.transact(work);
const look = <T>(work: (sql: Sql) => Promise<T>) =>
  api.db.database.transact(work, { isSnapshot: true });

/** Requests until the answer comes from the cache. */
async function askUntilKept(of: TestTeam, at: string): Promise<any> {
  return eventually(
    async () => (await of.get(at)).body,
    ({ source }) => source.kind === 'cache',
  );
}
const anew = async (of: TestTeam, at: string) =>
  (await of.call('GET', at, { headers: { 'Cache-Control': 'no-cache' } })).body;

/** Lists all entries: none lives longer than this limit. */
const listAll = () => look((sql) => listStaleAnswers(sql, timeToLiveMs / 1_000 + 60, 1_000));

async function renewAll(): Promise<boolean[]> {
  const kept: boolean[] = [];
  for (const one of await listAll()) kept.push(await renew(one, look, write));
  return kept;
}

test('a slow answer is cached for ten minutes and states when it was computed', async () => {
  const kept = await askUntilKept(team, path);
  expect(kept.value.total).toBe(0);
  expect(Date.parse(kept.expires_at) - Date.parse(kept.computed_at)).toBe(timeToLiveMs);
  expect(kept.source.data_through).toBe(kept.computed_at);
  await aCompleteTemplate(team);
  expect(await anew(team, path)).toMatchObject({ value: { total: 1 }, source: { kind: 'live' } });
  // A recomputation for one client replaces the cached answer of all.
  const later = await eventually(
    async () => (await team.get(path)).body,
    ({ value }) => value.total === 1,
  );
  expect(later.source.kind).toBe('cache');
  expect(Date.parse(later.computed_at)).toBeGreaterThan(Date.parse(kept.computed_at));

  await write(
    (sql) => sql`
    update insight_cache set expires_at = now() where team_id = ${team.id}`,
  );
  expect((await team.get(path)).body.source.kind).toBe('live');
});

test.each(insights)('a slow answer of $name is cached', async (insight) => {
  const { name, isOfTemplate } = insight;
  const at = isOfTemplate
    ? `/v2/partner/templates/${await aCompleteTemplate(team)}/insights/${name}`
    : `${advanced}/${name}`;
  const kept = await askUntilKept(team, at);
  expect(kept.name).toBe(name);
  expect(kept.value).toEqual((await anew(team, at)).value);
});

test('each team has answers of its own', async () => {
  const other = await api.newTeam();
  await aCompleteTemplate(team);
  expect((await askUntilKept(team, path)).value.total).toBe(1);
  expect((await askUntilKept(other, path)).value.total).toBe(0);
  await write((sql) => sql`update insight_cache set asked_at = now() - interval '2 hours'`);
  await team.get(path);
  await untilTrue(async () => (await ageOf(team)) < 3_600_000);
  expect(await ageOf(other)).toBeGreaterThan(3_600_000);
  expect((await askUntilKept(team, path)).value.total).toBe(1);
});

test('another period, time zone or filter has a cache entry of its own; another order of templates has none', async () => {
  const ids = [await aCompleteTemplate(team), await aCompleteTemplate(team)];
  const of = (query: Record<string, string>) =>
    `${advanced}/messages?${new URLSearchParams(query).toString()}`;
  const both = (some: string[]) => of({ 'filter[template_id][in]': some.join(',') });
  const questions = [
    of({}),
    of({ period: 'P7D' }),
    of({ timezone: 'Asia/Tokyo' }),
    of({ 'filter[channel]': 'sms' }),
    both(ids.slice(0, 1)),
    both(ids),
    `${advanced}/pages`,
  ];
  for (const question of questions) {
    expect((await team.get(question)).body.source.kind).toBe('live');
    await askUntilKept(team, question);
  }
  expect((await team.get(both(ids.toReversed()))).body.source.kind).toBe('cache');
  expect(await keptOf(team)).toHaveLength(questions.length);
});

test('a cached answer of one day is not served on the next', async () => {
  const today = `${path}?period=today`;
  await askUntilKept(team, today);
  await write(
    (sql) => sql`
    update insight_cache
    set answer = jsonb_set(answer::jsonb, '{source,window,start}', to_jsonb(
      (answer #>> '{source,window,start}')::timestamptz - interval '1 day'))
    where team_id = ${team.id}`,
  );
  expect((await team.get(today)).body.source.kind).toBe('live');
});

test('a deleted template, or one of another team, has no cached answer', async () => {
  const id = await aCompleteTemplate(team);
  const at = `/v2/partner/templates/${id}/insights/opt-in-widget`;
  await askUntilKept(team, at);
  expect((await (await api.newTeam()).get(at)).status).toBe(404);
  expect((await team.delete(`/v2/partner/templates/${id}`)).status).toBe(204);
  expect((await team.get(at)).status).toBe(404);
  expect(await renewAll()).toContain(false);
  expect(await keptOf(team)).toEqual([]);
});

test('a refresh of the cache stores the current answer of every insight', async () => {
  await liveALife(api, team, drawing(3));
  const paths = Object.keys(judges).map((name) => `${advanced}/${name}?period=2026`);
  for (const at of paths) await askUntilKept(team, at);
  await write(
    (sql) => sql`
    update objective_completions set voided_at = now() where team_id = ${team.id}`,
  );
  await renewAll();
  for (const at of paths) {
    const { source, value } = (await team.get(at)).body;
    expect([at, source.kind]).toEqual([at, 'cache']);
    expect(value).toEqual((await anew(team, at)).value);
  }
});

test('an answer without a request for a day is neither refreshed nor retained', async () => {
  const other = await api.newTeam();
  await askUntilKept(team, path);
  await askUntilKept(other, path);
  await write(
    (sql) => sql`
    update insight_cache set asked_at = now() - interval '25 hours', expires_at = now()
    where team_id = ${team.id}`,
  );
  const teams = (await listAll()).map(({ team_id: id }) => id);
  expect([teams.includes(team.id), teams.includes(other.id)]).toEqual([false, true]);
  await write(pruneAnswers);
  expect([await keptOf(team), (await keptOf(other)).length]).toEqual([[], 1]);
});

test('an answer of an older definition is deleted, and one of a newer definition remains', async () => {
  const first = await askUntilKept(team, path);
  const old = (await listAll()).find(({ team_id: id }) => id === team.id);
  if (!old) throw new Error('there is nothing to renew');
  // A slow refresh: its answer is older than the cached one.
  await write(
    (sql) => sql`
    update insight_cache set expires_at = now() + interval '1 hour' where team_id = ${team.id}`,
  );
  expect(await renew(old, look, write)).toBe(true);
  expect((await team.get(path)).body.computed_at).toBe(first.computed_at);
  const { question } = old;
  const former = { ...old, question: { ...question, version: question.version - 1 } };
  expect(await renew(former, look, write)).toBe(false);
  expect(await keptOf(team)).toEqual([]);
});

test('an answer that exceeds the time limit of a request is computed in the background', async () => {
  const { compute } = addedValueByTime;
  const at = `${advanced}/added-value-by-time?period=P365D`;
  let tried = 0;
  const tooLong = async ({ sql }: Parameters<typeof compute>[0]) => {
    tried += 1;
    await limitStatements(sql, 1);
    await sql`select pg_sleep(60)`;
    throw new Error('it was not ended');
  };
  const ask = () => team.get(at);
  const isWaiting = async () => {
    const [row] = await keptOf(team);
    return row?.is_answered === false;
  };
  // It was fast enough before: an expired cached answer exists.
  await askUntilKept(team, at);
  await write((sql) => sql`update insight_cache set expires_at = now() where team_id = ${team.id}`);
  try {
    addedValueByTime.compute = tooLong;
    expect((await ask()).status).toBe(400);
    await untilTrue(isWaiting);
    // For a while further requests get the same refusal without a computation.
    expect([(await ask()).status, tried]).toEqual([400, 1]);
    await write((sql) => sql`update insight_cache set asked_at = now() - interval '11 minutes'`);
    expect([(await ask()).status, tried]).toEqual([400, 2]);
    await untilTrue(async () => (await ageOf(team)) < 60_000);
    // The worker fails as well: the entry is deleted until the next request.
    expect(await renewAll()).toContain(false);
    expect(await keptOf(team)).toEqual([]);
    tried = 0;
    expect([(await ask()).status, tried]).toEqual([400, 1]);
    await untilTrue(isWaiting);
  } finally {
    addedValueByTime.compute = compute;
  }
  await renewAll();
  const { status, body } = await ask();
  expect([status, body.source.kind]).toEqual([200, 'cache']);
});

test('a team has at most five hundred cached answers', async () => {
  await write(
    (sql) => sql`
    insert into insight_cache (team_id, key, question, answer, expires_at, asked_at)
    select ${team.id}, 'k' || n, '{}', '{}', now(), now() from generate_series(1, 499) n`,
  );
  await askUntilKept(team, path);
  await team.get(`${path}?period=P7D`);
  await askUntilKept(await api.newTeam(), path);
  expect(await keptOf(team)).toHaveLength(500);
  // An expired entry is replaced.
  await write(
    (sql) => sql`
    update insight_cache set expires_at = now() where team_id = ${team.id} and question ->> 'name' is not null`,
  );
  await askUntilKept(team, path);
});

test('a question whose computation fails does not block other questions', async () => {
  const broken = `${advanced}/added-value-by-time`;
  await askUntilKept(team, broken);
  const before = await askUntilKept(team, path);
  const { compute } = addedValueByTime;
  addedValueByTime.compute = () => Promise.reject(new Error('broken'));
  try {
    expect(await renewAll()).toContain(false);
  } finally {
    addedValueByTime.compute = compute;
  }
  const after = (await team.get(path)).body;
  expect([after.source.kind, after.computed_at > before.computed_at]).toEqual(['cache', true]);
  expect((await team.get(broken)).body.source.kind).toBe('live');
});
