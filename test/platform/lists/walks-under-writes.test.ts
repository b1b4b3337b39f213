import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { useTestApi } from '../../support/use-test-api.ts';
import type { TestTeam } from '../../support/api.ts';

/** A list, its query parameters, the setup of its rows, and a write that runs during the walk. */
interface Walked {
  path: string;
  sorts: readonly string[];
  filters: readonly string[];
  fill(team: TestTeam): Promise<void>;
  /** Adds a row, or changes one of its own; never one that `fill` has made. */
  disturb(team: TestTeam, turn: number): Promise<unknown>;
}

const rowsEach = 24;
const turns = Array.from({ length: rowsEach }, (_, turn) => turn);
const dayOf = (turn: number) => `2026-03-${String(1 + (turn % 5)).padStart(2, '0')}T00:00:00Z`;

const contact = (turn: number) => ({
  unique_id: randomUUID(),
  ...(turn % 3 > 0 && { last_name: ['A', 'b', 'a', 'É'][turn % 4] }),
  ...(turn % 4 > 0 && { email: `${['x', 'y'][turn % 2]}@example.com` }),
  locale: turn % 2 === 0 ? 'en' : 'de',
});
const account = (turn: number) => ({
  kind: turn % 2 === 0 ? 'loan' : 'deposit',
  ...(turn % 3 > 0 && { opened_at: dayOf(turn) }),
  ...(turn % 4 > 0 && { balance_cents: (turn % 3) * 100 }),
});
const template = (turn: number) => ({
  name: ['Same', 'same', 'Other'][turn % 3],
  ...(turn % 2 === 0 && { deadline_at: dayOf(turn).replace('2026', '2036') }),
});
const event = (turn: number) => ({
  kind: turn % 2 === 0 ? 'custom' : 'page.viewed',
  occurred_at: dayOf(turn),
  is_machine: turn % 3 === 0,
});

const all = async (path: string, bodies: readonly object[], team: TestTeam) => {
  for (const reply of await Promise.all(bodies.map((body) => team.post(path, body)))) {
    expect(reply.status).toBe(201);
  }
};
const contacts = '/v2/partner/contacts';
const templates = '/v2/partner/templates';
const events = '/v2/partner/engagement-events';
const changed = async (team: TestTeam, path: string, body: object, change: object) => {
  const { body: made } = await team.post(path, body);
  return team.patch(`${path}/${String(made.id)}`, change);
};

const lists: readonly Walked[] = [
  {
    path: contacts,
    sorts: ['inserted_at', 'updated_at', 'last_name', 'email', 'last_engaged_at'],
    filters: ['filter[locale]=en', 'filter[email][present]=true', ''],
    fill: (team) => all(contacts, turns.map(contact), team),
    disturb: (team, turn) => changed(team, contacts, contact(turn), { last_name: 'b' }),
  },
  {
    path: '/v2/partner/accounts',
    sorts: ['inserted_at', 'opened_at', 'closed_at', 'balance_cents'],
    filters: ['filter[kind]=loan', 'filter[balance_cents][gte]=100', 'filter[status]=open', ''],
    async fill(team) {
      const { body } = await team.post(contacts, contact(0));
      await all(`${contacts}/${String(body.id)}/accounts`, turns.map(account), team);
    },
    async disturb(team, turn) {
      const { body } = await team.post(contacts, contact(0));
      return team.post(`${contacts}/${String(body.id)}/accounts`, account(turn));
    },
  },
  {
    path: templates,
    sorts: ['inserted_at', 'updated_at', 'name', 'deadline_at', 'launched_at'],
    filters: ['filter[name]=Same', 'filter[deadline_at][missing]=true', 'filter[status]=draft', ''],
    fill: (team) => all(templates, turns.map(template), team),
    disturb: (team, turn) => changed(team, templates, template(turn), { name: 'same' }),
  },
  {
    path: events,
    sorts: ['occurred_at'],
    filters: ['filter[kind]=custom', 'filter[is_machine]=false', ''],
    fill: (team) => all(events, [{ events: turns.map(event) }], team),
    disturb: (team, turn) => team.post(events, { events: [event(turn)] }),
  },
];

const api = useTestApi();

describe('a walk under writes shows every untouched row once, in both directions', () => {
  test.each(lists.map((list) => [list.path, list] as const))('%s', async (_, list) => {
    const team = await api.newTeam();
    await list.fill(team);
    const queries = fc.record({
      sort: fc
        .uniqueArray(fc.constantFrom(...list.sorts), { minLength: 1, maxLength: 3 })
        .chain((names) => fc.tuple(...names.map((name) => fc.constantFrom(name, `-${name}`)))),
      filter: fc.constantFrom(...list.filters),
      size: fc.integer({ min: 1, max: 9 }),
    });
    await fc.assert(
      fc.asyncProperty(queries, async ({ sort, filter, size }) => {
        const query = `${list.path}?sort=${sort.join(',')}&${filter}`;
        const before = await idsOf(team, query);
        const walk = (turn: number) => list.disturb(team, turn);
        const seen = await walkThereAndBack(team, `${query}&page[size]=${String(size)}`, walk);
        for (const ids of seen) {
          const unchanged = ids.filter((id) => before.includes(id));
          expect(unchanged).toEqual(before);
        }
      }),
      { numRuns: 12 },
    );
  });
});

/** All ids of the list at this moment, in its order. */
async function idsOf(team: TestTeam, query: string): Promise<string[]> {
  const ids: string[] = [];
  for (let after = ''; ;) {
    const { body } = await team.get(`${query}&page[size]=100${after}`);
    ids.push(...body.data.map(({ id }: { id: string }) => id));
    if (!body.page.has_more) return ids;
    after = `&page[after]=${String(body.page.next_cursor)}`;
  }
}

/** The ids seen forward, and those seen back from the end, each in the order of the list. */
async function walkThereAndBack(
  team: TestTeam,
  query: string,
  disturb: (turn: number) => Promise<unknown>,
): Promise<[string[], string[]]> {
  const there: string[] = [];
  let turn = 0;
  let page = (await team.get(query)).body;
  for (;;) {
    there.push(...page.data.map(({ id }: { id: string }) => id));
    if (page.page.next_cursor === null || !page.page.has_more) break;
    const [next] = await Promise.all([
      team.get(`${query}&page[after]=${String(page.page.next_cursor)}`),
      turn < 6 ? disturb(turn) : undefined,
    ]);
    turn += 1;
    page = next.body;
  }
  const back = page.data.map(({ id }: { id: string }) => id);
  while (page.page.prev_cursor !== null) {
    page = (await team.get(`${query}&page[before]=${String(page.page.prev_cursor)}`)).body;
    back.unshift(...page.data.map(({ id }: { id: string }) => id));
  }
  return [there, back];
}
