import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';

const api = useTestApi();

const fill = (statement: string) => api.db.look((sql) => sql.unsafe(statement));

interface Quota {
  path: string;
  body: () => object;
  /** Leaves room for one more. */
  fill: (team: TestTeam) => string;
}

const quotas: Record<string, Quota> = {
  webhook_subscriptions: {
    path: '/v2/partner/webhook-subscriptions',
    body: () => ({ target_url: 'http://127.0.0.1:8080/', event_types: ['contact.created'] }),
    fill: ({ id }) =>
      `insert into webhook_subscriptions (team_id, target_url, event_types, is_active)
       select '${id}', 'http://127.0.0.1:8080/', '{contact.created}', false
       from generate_series(1, 49)`,
  },
  templates: {
    path: '/v2/partner/templates',
    body: () => ({ name: randomUUID() }),
    fill: ({ id }) =>
      `insert into templates (team_id, name) select '${id}', n::text
       from generate_series(1, 4999) n`,
  },
  cohorts: {
    path: '/v2/partner/cohorts',
    body: () => ({ name: randomUUID(), kind: 'static' }),
    fill: ({ id }) =>
      `insert into cohorts (team_id, name, kind, evaluation_mode)
       select '${id}', n::text, 'static', 'on_demand' from generate_series(1, 999) n`,
  },
};

test.each(Object.entries(quotas))(
  'requests sent at once do not exceed the quota of %s',
  async (quota, { path, body, fill: statement }) => {
    const team = await api.newTeam();
    await fill(statement(team));
    const replies = await Promise.all(
      Array.from({ length: 12 }, async () => team.post(path, body())),
    );
    const refused = replies.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(11);
    for (const { body: answer } of refused) {
      expect(answer.errors[0]).toMatchObject({ code: 'quota_exceeded', meta: { quota } });
    }
  },
);
