import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { blocksOfEachKind } from './a-block.ts';
import { aCompleteTemplate, aLaunchedTemplate, at } from './a-template.ts';

const api = useTestApi();
let team: TestTeam;
beforeAll(async () => {
  team = await api.newTeam();
});

async function aCohort(): Promise<string> {
  const { body } = await team.post('/v2/partner/cohorts', { name: randomUUID(), kind: 'static' });
  return String(body.id);
}

const factors = ['date_of_birth', 'postal_code', 'unique_id_last4', 'otp_email', 'otp_sms'];

describe('a version shows the rules of its template', () => {
  test.each<[string, object]>([
    ['members of a cohort at launch', { entry: 'on_launch_snapshot' }],
    ['members of a cohort as they enter', { entry: 'on_cohort_entry' }],
    ['no second journey', { entry: 'manual', reentry: 'never' }],
    ['another journey after the last', { reentry: 'after_exit' }],
    ['another one after a while', { reentry: 'after_interval', reentry_interval: 'P30D' }],
    ['what a recipient proves', { secure_personalization: { enabled: true, factors } }],
  ])('%s', async (_, rules) => {
    const id = await aLaunchedTemplate(team, { target_cohort_ids: [await aCohort()], ...rules });
    const { status, body } = await team.get(at(id, '/versions/1'));
    expect(status).toBe(200);
    expect(body).toMatchObject(rules);
  });
});

test('a version shows content blocks of every kind', async () => {
  const content_block_ids: string[] = [];
  for (const { kind, body } of blocksOfEachKind) {
    const fields = { name: kind, key: `b-${randomUUID()}`, kind, body };
    const made = await team.post('/v2/partner/content-blocks', fields);
    content_block_ids.push(String(made.body.id));
  }
  const id = await aCompleteTemplate(team);
  await team.post(at(id, '/pages'), { name: 'All', content_block_ids });
  expect((await team.post(at(id, '/launch'))).body).toMatchObject({ status: 'launched' });
  const { body } = await team.get(at(id, '/versions/1'));
  const kinds = body.content_blocks.map(({ kind }: { kind: string }) => kind);
  expect(kinds.sort()).toEqual(blocksOfEachKind.map(({ kind }) => kind).sort());
});
