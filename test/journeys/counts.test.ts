import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { anObjective, aLaunchedTemplate, at } from '../campaigns/a-template.ts';

const api = useTestApi();
let team: TestTeam;
beforeAll(async () => {
  team = await api.newTeam();
});

const people = 3;
const acts = ['enroll', 'cancel', 'pause', 'resume', 'complete', 'hold', 'go'] as const;

test('concurrent actions leave one open journey per contact, and counts that equal the rows', async () => {
  const objective = await anObjective(team);
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.array(fc.tuple(fc.constantFrom(...acts), fc.nat(people - 1)), {
          minLength: 1,
          maxLength: 3,
        }),
        { minLength: 3, maxLength: 10 },
      ),
      async (rounds) => {
        const template = await aLaunchedTemplate(team, { reentry: 'after_exit' });
        const contacts = await Promise.all(
          Array.from({ length: people }, async (): Promise<string> => {
            const made = await team.post('/v2/partner/contacts', { unique_id: randomUUID() });
            return made.body.id;
          }),
        );
        for (const round of rounds) {
          const replies = await Promise.all(
            round.map(([act, of]) => perform(act, template, contacts[of] ?? '', objective)),
          );
          for (const status of replies) expect(status).toBeLessThan(500);
        }
        const rows = await api.db.look(
          (sql) => sql<{ contact_id: string; journeys: number; open: number }[]>`
            select contact_id, count(*)::int as journeys,
              count(*) filter (where status in ('scheduled', 'active', 'paused'))::int as open
            from journeys where team_id = ${team.id} and template_id = ${template}
            group by contact_id`,
        );
        for (const { open } of rows) expect(open).toBeLessThan(2);
        const sum = (of: (row: (typeof rows)[number]) => number) =>
          rows.reduce((total, row) => total + of(row), 0);
        expect((await team.get(at(template))).body).toMatchObject({
          enrolled_count: sum(({ journeys }) => journeys),
          active_journey_count: sum(({ open }) => open),
        });
      },
    ),
    { numRuns: 12 },
  );
});

/** Does it, if it can be done; gives the status of the answer. */
async function perform(
  act: (typeof acts)[number],
  template: string,
  contact_id: string,
  objective: string,
): Promise<number> {
  if (act === 'enroll') {
    return (await team.post(at(template, '/enrollments'), { contact_id })).status;
  }
  if (act === 'complete') {
    const path = `/v2/partner/objectives/${objective}/completions`;
    return (await team.post(path, { contact_id })).status;
  }
  if (act === 'hold' || act === 'go') {
    return (await team.post(at(template, act === 'hold' ? '/pause' : '/resume'))).status;
  }
  const { body } = await team.get(
    at(template, `/journeys?filter[contact_id]=${contact_id}&page[size]=1`),
  );
  const [latest] = body.data;
  if (!latest) return 0;
  return (await team.post(`/v2/partner/journeys/${latest.id}/${act}`)).status;
}
