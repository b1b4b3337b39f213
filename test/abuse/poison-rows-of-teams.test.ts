import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { suppress } from '../../src/contacts/suppressions/suppress.ts';
import { endAbandoned } from '../../src/operations/sftp/upload-status.ts';
import { tasks } from '../../src/maintenance/tasks.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import { aReader, aSendingTemplate, anEmail } from '../journeys/a-send.ts';
import { aReceiver } from '../inbound/a-receiver.ts';
import { storeDeliveries } from '../inbound/stored.ts';
import { newCredential } from '../operations/sftp/a-client.ts';
import type { TestTeam } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { aTurn } from '../support/maintenance.ts';
import { runNow } from '../support/schedules.ts';
import { useService } from '../support/use-service.ts';
import { inTime, usePoison } from './poison.ts';
import { rollupComparison, rollupRefresh } from '../../workflows/schedules.ts';

// As poison-rows.test.ts, for what schedules compute, for callbacks, and for journeys that follow a
// template.

const { api, temporal } = useService();
const { refuse, setAside } = usePoison(api);
const log = createLog('silent', 'worker');
/** The team with the bad row, and another. */
const twoTeams = async () => [await api.newTeam(), await api.newTeam()] as const;

async function made(team: TestTeam, path: string, body: object): Promise<any> {
  const reply = await team.post(path, body);
  if (reply.status >= 300) throw new Error(`${path}: ${JSON.stringify(reply.body)}`);
  return reply.body;
}

test('a journey that cannot get the deadline of its template fails; the others get it', async () => {
  const poison = await refuse(
    'journeys',
    'contact_id',
    `new.deadline_at is not null and new.status <> 'failed'`,
  );
  const result = await inTime('journey-resyncs', poison, async (spoil, watch) => {
    const team = await api.newTeam();
    const template = await aSendingTemplate(team, [
      { ...anEmail, trigger: { kind: 'delay', delay: 'P3D' } },
    ]);
    const contactIds = [await aReader(team), await aReader(team), await aReader(team)];
    const journeys: string[] = [];
    for (const contact_id of contactIds) {
      const path = `/v2/partner/templates/${template.id}/enrollments`;
      journeys.push(String((await made(team, path, { contact_id })).id));
    }
    await spoil(String(contactIds[1]));
    const deadline_at = new Date(Date.now() + 86_400_000).toISOString();
    watch.start();
    expect((await team.patch(`/v2/partner/templates/${template.id}`, { deadline_at })).status).toBe(
      200,
    );
    const read = () =>
      Promise.all(journeys.map(async (id) => (await team.get(`/v2/partner/journeys/${id}`)).body));
    await eventually(read, ([first, , last]) =>
      [first, last].every((body) => body.deadline_at === deadline_at),
    );
    watch.stop();
    return { team, read, deadline_at };
  });
  const { team, read, deadline_at } = result;
  const found = await eventually(read, ([, second]) => second.status === 'failed');
  expect(found.map(({ status, deadline_at: at }) => (status === 'failed' ? status : at))).toEqual([
    deadline_at,
    'failed',
    deadline_at,
  ]);
  expect(found[1]).toMatchObject({ exit_reason: 'error' });
  expect(await setAside('journey-resyncs', team)).toEqual([]);
});

/** A team with messages whose figures are to be summed. */
async function countSomething(team: TestTeam): Promise<void> {
  await api.db.look(
    (sql) => sql`
      insert into message_stats (team_id, message_id, slot) values (${team.id}, ${randomUUID()}, 0)`,
  );
}

/** Until when the sums of each team that has some have been compared. */
async function comparisons(): Promise<Map<string, string>> {
  const rows = await api.db.look<{ team_id: string; at: string }>(
    (sql) => sql`select team_id, reconciled_until::text as at from delivery_rollup_progress`,
  );
  return new Map(rows.map(({ team_id, at }) => [team_id, at]));
}

test('a team whose figures cannot be summed delays no other team', async () => {
  const poison = await refuse('delivery_rollup_progress', 'team_id');
  const harmed = await inTime('rollups', poison, async (spoil, watch) => {
    const [bad, good] = await twoTeams();
    for (const team of [bad, good]) await countSomething(team);
    await spoil(bad.id);
    watch.start();
    await runNow(temporal.client, rollupRefresh.id);
    expect((await comparisons()).has(good.id)).toBe(true);
    watch.stop();
    return bad;
  });
  expect((await comparisons()).has(harmed.id)).toBe(false);
  expect(await setAside('rollups', harmed)).toEqual([
    expect.objectContaining({ team_id: harmed.id, reason: '23514', attempts: 1 }),
  ]);
});

test('a team whose figures cannot be compared with their sources delays no other team', async () => {
  const poison = await refuse('delivery_rollup_progress', 'team_id');
  const harmed = await inTime('rollup-comparison', poison, async (spoil, watch) => {
    const [bad, good] = await twoTeams();
    for (const team of [bad, good]) await countSomething(team);
    await runNow(temporal.client, rollupRefresh.id);
    await spoil(bad.id);
    const before = await comparisons();
    watch.start();
    await runNow(temporal.client, rollupComparison.id);
    const after = await comparisons();
    expect(after.get(good.id)).not.toBe(before.get(good.id));
    watch.stop();
    return { ...bad, before: before.get(bad.id), after: after.get(bad.id) };
  });
  expect(harmed.after).toBe(harmed.before);
  expect(await setAside('rollup-comparison', harmed)).toEqual([
    expect.objectContaining({ team_id: harmed.id, reason: '23514' }),
  ]);
});

test('a team whose figures cannot be compared with others leaves theirs to them', async () => {
  const poison = await refuse('objective_rates', 'team_id');
  const rated = async () =>
    (
      await api.db.look<{ team_id: string }>(
        (sql) => sql`select distinct team_id from objective_rates`,
      )
    ).map(({ team_id }) => team_id);
  const harmed = await inTime('benchmarks', poison, async (spoil, watch) => {
    const [bad, good] = await twoTeams();
    for (const { id } of [bad, good]) {
      await api.db.look((sql) => sql`update teams set is_in_benchmarks = true where id = ${id}`);
    }
    for (const team of [bad, good]) {
      const objective = await made(team, '/v2/partner/objectives', {
        ...{ key: 'open-account', name: 'Open an account' },
      });
      const template = await aSendingTemplate(team, [anEmail], {
        objective_ids: [objective.id],
      });
      const path = `/v2/partner/templates/${template.id}/enrollments`;
      await made(team, path, { contact_id: await aReader(team) });
    }
    await spoil(bad.id);
    const turn = { ...aTurn(api.keyring), log };
    watch.start();
    expect(await tasks['benchmarks']?.work(api.db.database, turn)).toBe(true);
    expect(await rated()).toContain(good.id);
    watch.stop();
    return bad;
  });
  expect(await rated()).not.toContain(harmed.id);
  expect(await setAside('benchmarks', harmed)).toEqual([
    expect.objectContaining({ team_id: harmed.id, reason: '23514' }),
  ]);
});

test('an address that cannot be tried again waits; those of others are tried', async () => {
  const poison = await refuse('suppressions', 'team_id');
  const harmed = await inTime('soft-bounces', poison, async (spoil, watch) => {
    const [bad, good] = await twoTeams();
    const contactOf = new Map<TestTeam, string>();
    for (const team of [bad, good]) {
      const address = `full-${team.id}@example.com`;
      contactOf.set(team, await aReader(team, { email: address }));
      await api.db.database.transact((sql) =>
        suppress(sql, team.id, {
          ...{ channel: 'email', address, contact_id: null, note: null },
          ...{ reason: 'soft_bounces', source: 'inbound' },
        }),
      );
    }
    const turn = { ...aTurn(api.keyring), log };
    const age = (days: number) =>
      api.db.look(
        (sql) => sql`
          update suppressions set inserted_at = now() - make_interval(days => ${days})
          where team_id in (${bad.id}, ${good.id})`,
      );
    const statesOf = async () => {
      const states = [];
      for (const [team, id] of contactOf)
        states.push((await team.get(`/v2/partner/contacts/${id}`)).body.email_status);
      return states;
    };
    await age(29);
    expect(await tasks['soft-bounces']?.work(api.db.database, turn)).toBe(true);
    expect(await statesOf()).toEqual(['soft_bouncing', 'soft_bouncing']);
    await age(31);
    await spoil(bad.id);
    watch.start();
    expect(await tasks['soft-bounces']?.work(api.db.database, turn)).toBe(true);
    watch.stop();
    const states = await statesOf();
    expect(states[1]).toBe('unknown');
    return { ...bad, state: states[0] };
  });
  expect(harmed.state).toBe('soft_bouncing');
  expect(await setAside('soft-bounces', harmed)).toEqual([
    expect.objectContaining({ team_id: harmed.id, reason: '23514' }),
  ]);
});

test('a file that cannot be ended waits; the files of others end', async () => {
  const poison = await refuse('sftp_uploads', 'team_id', `new.status = 'failed'`);
  const statusOf = async (team: TestTeam) =>
    (await team.get('/v2/partner/sftp-uploads')).body.data[0].status;
  const harmed = await inTime('sftp-files', poison, async (spoil, watch) => {
    const [bad, good] = await twoTeams();
    for (const team of [bad, good]) {
      const { id } = await newCredential(team);
      await api.db.look(
        (sql) => sql`
          insert into sftp_uploads (team_id, sftp_credential_id, path, status, updated_at)
          values (${team.id}, ${id}, '/in/contacts/a.csv', 'receiving', now() - interval '2 days')`,
      );
    }
    await spoil(bad.id);
    watch.start();
    await endAbandoned(api.db.database, 10, log);
    watch.stop();
    expect(await statusOf(good)).toBe('failed');
    return bad;
  });
  expect(await statusOf(harmed)).toBe('receiving');
  expect(await setAside('sftp-files', harmed)).toEqual([
    expect.objectContaining({ team_id: harmed.id, reason: '23514' }),
  ]);
  // It waits, and is not tried again before its time.
  expect(await endAbandoned(api.db.database, 10, log)).toBe(0);
  expect((await setAside('sftp-files', harmed))[0]?.attempts).toBe(1);
});

test('a team that cannot get the notice of a replaced name leaves those of others to them', async () => {
  const poison = await refuse('deprecation_notices', 'team_id');
  const notified = async () =>
    (
      await api.db.look<{ team_id: string }>(
        (sql) => sql`select distinct team_id from deprecation_notices`,
      )
    ).map(({ team_id }) => team_id);
  const harmed = await inTime('deprecation-notices', poison, async (spoil, watch) => {
    const [bad, good] = await twoTeams();
    for (const team of [bad, good]) {
      // Older than their interest in notices, which would have recorded it.
      for (const event_types of [['batch_operation.completed'], ['team.*']]) {
        await made(team, '/v2/partner/webhook-subscriptions', {
          ...{ target_url: 'https://example.com/hook', event_types },
        });
      }
    }
    await spoil(bad.id);
    const turn = { ...aTurn(api.keyring), log };
    watch.start();
    await tasks['deprecation-notices']?.work(api.db.database, turn);
    watch.stop();
    expect(await notified()).toContain(good.id);
    return bad;
  });
  expect(await notified()).not.toContain(harmed.id);
  expect(await setAside('deprecation-notices', harmed)).toEqual([
    expect.objectContaining({ team_id: harmed.id, reason: '23514', attempts: 1 }),
  ]);
});

test('a callback that cannot be applied is given up; the others of its receiver are applied', async () => {
  const poison = await refuse('inbound_deliveries', 'id', `new.attempts > 1`);
  const result = await inTime('inbound-callbacks', poison, async (spoil, watch) => {
    const team = await api.newTeam();
    const receiver = await aReceiver(api, team);
    await made(team, '/v2/partner/contacts', { unique_id: 'ada' });
    const next_attempt_at = new Date().toISOString();
    const ids = await storeDeliveries(api, team, receiver.id, 3, () => ({ next_attempt_at }));
    await spoil(String(ids[1]));
    const at = `/v2/webhooks/inbound/${receiver.id}/deliveries`;
    const read = async () =>
      (await Promise.all(ids.map(async (id) => (await team.get(`${at}/${id}`)).body))).map(
        ({ status }) => String(status),
      );
    watch.start();
    await api.db.look(
      (sql) => sql`
        insert into workflow_outbox (team_id, workflow, key)
        values (${team.id}, 'inbound', ${receiver.id})`,
    );
    await eventually(read, ([first, , last]) => first === 'processed' && last === 'processed');
    watch.stop();
    return { team, read };
  });
  const found = await eventually(result.read, ([, second]) => second === 'failed');
  expect(found).toEqual(['processed', 'failed', 'processed']);
  expect(await setAside('inbound-callbacks', result.team)).toEqual([]);
});
