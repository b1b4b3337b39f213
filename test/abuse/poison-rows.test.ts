import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TestTeam } from '../support/api.ts';
import { eventually, untilTrue } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { useService } from '../support/use-service.ts';
import { inTime, usePoison } from './poison.ts';
import type { Watch } from './poison.ts';
import { aReader, aSendingTemplate, anEmail, deliveriesOf } from '../journeys/a-send.ts';

// One row of a team cannot be written, by a trigger that the test makes. The rows of everybody else
// are processed as soon as without it, and that row fails or waits alone.

const { api, temporal } = useService();
const { refuse, setAside } = usePoison(api);
let receiver: Receiver;
let harmed: TestTeam;
let others: TestTeam;

const unlimited = { quiet_hours: null, frequency_cap: null };

async function aTeam(): Promise<TestTeam> {
  const team = await api.newTeam();
  await team.patch('/v2/partner/team', unlimited);
  return team;
}

beforeAll(async () => {
  receiver = await startReceiver();
  [harmed, others] = [await aTeam(), await aTeam()];
});
afterAll(() => receiver.stop());

async function made(team: TestTeam, path: string, body: object): Promise<any> {
  const reply = await team.post(path, body);
  if (reply.status >= 300) throw new Error(`${path}: ${JSON.stringify(reply.body)}`);
  return reply.body;
}
const enroll = (team: TestTeam, templateId: string, contact_id: string) =>
  made(team, `/v2/partner/templates/${templateId}/enrollments`, { contact_id });
const journeyOf = async (team: TestTeam, id: string) =>
  (await team.get(`/v2/partner/journeys/${id}`)).body;

/** Resolves once so many deliveries of a template have been sent. */
const untilSent = (
  team: TestTeam,
  templateId: string,
  count: number,
  isMeant: (row: any) => boolean = () => true,
) =>
  eventually(
    () => deliveriesOf(team, templateId),
    (rows) => rows.filter((row) => row.status === 'sent' && isMeant(row)).length === count,
  );

test('a journey that cannot be decided over fails alone, in every lane and team', async () => {
  const poison = await refuse('message_deliveries', 'contact_id', `new.status = 'queued'`);
  const journeys = await inTime('journeys', poison, async (spoil, watch) => {
    const [bad, good] = [await aSendingTemplate(harmed), await aSendingTemplate(others)];
    const contactIds = await Promise.all(Array.from({ length: 8 }, () => aReader(harmed)));
    for (const id of contactIds) await spoil(id);
    const readers = await Promise.all(Array.from({ length: 8 }, () => aReader(others)));
    watch.start();
    const enrolledIn = await Promise.all(contactIds.map((id) => enroll(harmed, bad.id, id)));
    for (const id of readers) await enroll(others, good.id, id);
    await untilSent(others, good.id, readers.length);
    watch.stop();
    return enrolledIn;
  });
  for (const { id } of journeys) {
    const journey = await eventually(
      () => journeyOf(harmed, String(id)),
      ({ status }) => status === 'failed',
    );
    expect(journey).toMatchObject({ status: 'failed', exit_reason: 'error' });
  }
  expect(await setAside('journeys', harmed)).toEqual([]);
});

test('a message whose outcome cannot be stored fails once, and is sent once', async () => {
  const poison = await refuse('message_deliveries', 'contact_id', `new.status = 'sent'`);
  const { template, bad, good } = await inTime('sends', poison, async (spoil, watch) => {
    const template = await aSendingTemplate(harmed, [{ ...anEmail, subject: 'Only once' }]);
    const [bad, good] = [await aReader(harmed), await aReader(harmed)];
    await spoil(bad);
    watch.start();
    for (const id of [bad, good]) await enroll(harmed, template.id, id);
    await untilSent(harmed, template.id, 1, ({ contact_id }) => contact_id === good);
    watch.stop();
    return { template, bad, good };
  });
  const rows = await eventually(
    () => deliveriesOf(harmed, template.id),
    (all) => all.length === 2 && all.every(({ status }) => status !== 'queued'),
  );
  const statusOf = (id: string) => rows.find(({ contact_id }) => contact_id === id)?.status;
  expect([statusOf(bad), statusOf(good)]).toEqual(['failed', 'sent']);
  const mails = await api.db.look(
    (sql) => sql`select contact_id from mailbox_messages where contact_id = ${bad}`,
  );
  expect(mails).toHaveLength(1);
  const waiting = await api.db.look(
    (sql) => sql`select id from message_sends where team_id = ${harmed.id}`,
  );
  expect(waiting).toEqual([]);
  expect(await setAside('sends', harmed)).toEqual([]);
});

test('a message that cannot be prepared waits; those of its claim are sent', async () => {
  const push = { name: 'Push', channel: 'push', title: 'Hello', body: 'Hello' };
  const unseal = (id: string) =>
    api.db.look(
      (sql) => sql`update contact_devices set sealed_token = 'x' where contact_id = ${id}`,
    );
  const result = await inTime('send-preparation', unseal, async (spoil, watch) => {
    const team = await aTeam();
    const template = await aSendingTemplate(team, [{ ...push, respect_quiet_hours: false }]);
    const contactIds = [await aReader(team), await aReader(team), await aReader(team)];
    for (const id of contactIds) {
      const device = { token: randomUUID(), platform: 'ios' };
      await made(team, `/v2/partner/contacts/${id}/devices`, device);
    }
    const [, bad = ''] = contactIds;
    await spoil(bad);
    watch.start();
    for (const id of contactIds) await enroll(team, template.id, id);
    await untilSent(team, template.id, 2, ({ contact_id }) => contact_id !== bad);
    watch.stop();
    return { team, contactIds, rows: await deliveriesOf(team, template.id) };
  });
  const { team, contactIds, rows } = result;
  const statusOf = (id: string) => rows.find(({ contact_id }) => contact_id === id)?.status;
  expect(contactIds.map(statusOf)).toEqual(['sent', 'queued', 'sent']);
  const parked = await eventually(
    () => setAside('send-preparation', team),
    (found) => found.length > 0,
  );
  expect(parked).toEqual([
    expect.objectContaining({ team_id: team.id, reason: 'Error', attempts: 1 }),
  ]);
});

test('a webhook delivery whose outcome cannot be stored fails once, and is posted once', async () => {
  const poison = await refuse('webhook_attempts', 'subscription_id');
  const subscribe = async (team: TestTeam, path: string) =>
    String(
      (
        await made(team, '/v2/partner/webhook-subscriptions', {
          target_url: receiver.url.replace('/hook', path),
          event_types: ['contact.created'],
        })
      ).id,
    );
  const receivedAt = (path: string) => receiver.received.filter((one) => one.path === path);
  const count = 20;
  const { bad, badPath } = await inTime('webhook-outcomes', poison, async (spoil, watch) => {
    const [badPath, goodPath] = [`/bad-${randomUUID()}`, `/good-${randomUUID()}`];
    const bad = await subscribe(harmed, badPath);
    await subscribe(others, goodPath);
    await spoil(bad);
    watch.start();
    await made(harmed, '/v2/partner/contacts', { unique_id: randomUUID() });
    for (let at = 0; at < count; at += 1) {
      await made(others, '/v2/partner/contacts', { unique_id: randomUUID() });
    }
    await untilTrue(() => receivedAt(goodPath).length >= count);
    watch.stop();
    return { bad, badPath };
  });
  const [delivery] = await eventually(
    async () => (await harmed.get(`/v2/partner/webhook-subscriptions/${bad}/deliveries`)).body.data,
    ([one]) => one?.status === 'failed',
  );
  expect(delivery).toMatchObject({ status: 'failed', error_code: 'outcome_not_stored' });
  expect(receivedAt(badPath)).toHaveLength(1);
  expect(await setAside('webhook-outcomes', harmed)).toEqual([]);
});

test('a contact whose membership cannot be written waits; others join the cohort', async () => {
  const poison = await refuse('cohort_members', 'contact_id');
  const definition = { op: 'all', rules: [{ field: 'contact.locale', op: 'eq', value: 'de' }] };
  const { team, bad, good, members } = await inTime(
    'cohort-changes',
    poison,
    async (spoil, watch) => {
      const team = await aTeam();
      const cohort = await made(team, '/v2/partner/cohorts', {
        ...{ name: 'German', kind: 'dynamic', evaluation_mode: 'realtime', definition },
      });
      await eventually(
        async () => (await team.get(`/v2/partner/cohorts/${String(cohort.id)}`)).body,
        ({ evaluation_status }) => evaluation_status === 'ready' || evaluation_status === 'idle',
      );
      const ids = [randomUUID(), randomUUID(), randomUUID()];
      const contacts = await Promise.all(
        ids.map((unique_id) => made(team, '/v2/partner/contacts', { unique_id })),
      );
      const [bad = '', ...good] = contacts.map(({ id }) => String(id));
      await spoil(bad);
      watch.start();
      for (const { id } of contacts) {
        await team.patch(`/v2/partner/contacts/${String(id)}`, { locale: 'de' });
      }
      const members = await eventually(
        async () =>
          (
            await api.db.look<{ contact_id: string }>(
              (sql) => sql`
                select contact_id from cohort_members where cohort_id = ${String(cohort.id)}`,
            )
          ).map(({ contact_id }) => contact_id),
        (found) => good.every((id) => found.includes(id)),
      );
      watch.stop();
      return { team, bad, good, members };
    },
  );
  expect(members.sort()).toEqual(good.sort());
  expect(
    await eventually(
      () => setAside('cohort-changes', team),
      (rows) => rows.length > 0,
    ),
  ).toEqual([expect.objectContaining({ team_id: team.id, row_id: bad, reason: '23514' })]);
});

test('a journey that cannot be ended waits; the others of its template expire', async () => {
  const poison = await refuse('journeys', 'contact_id', `new.status = 'expired'`);
  const result = await inTime('journey-endings', poison, async (spoil, watch) => {
    const team = await aTeam();
    const template = await aSendingTemplate(team, [
      { ...anEmail, trigger: { kind: 'delay', delay: 'P3D' } },
    ]);
    const contactIds = [await aReader(team), await aReader(team), await aReader(team)];
    const journeys = await Promise.all(contactIds.map((id) => enroll(team, template.id, id)));
    await spoil(String(contactIds[1]));
    watch.start();
    await made(team, `/v2/partner/templates/${template.id}/expire`, {});
    const statuses = () =>
      Promise.all(journeys.map(async ({ id }) => (await journeyOf(team, String(id))).status));
    await eventually(statuses, ([first, , last]) => first === 'expired' && last === 'expired');
    watch.stop();
    return { team, template, journeys };
  });
  const { team, template, journeys } = result;
  expect(
    await eventually(
      () => setAside('journey-endings', team),
      (rows) => rows.length > 0,
    ),
  ).toEqual([expect.objectContaining({ row_id: journeys[1].id })]);
  const run = await temporal.handleOf(`template/${template.id}`).describe();
  expect(run.status.name).not.toBe('FAILED');
});

test('a contact that cannot be enrolled is left out; the others of its cohort begin', async () => {
  const poison = await refuse('journeys', 'contact_id', `new.enrolled_via = 'cohort'`);
  const { team, enrolledIds, good } = await inTime('enrollments', poison, async (spoil, watch) => {
    const team = await aTeam();
    const cohort = await made(team, '/v2/partner/cohorts', { name: 'Static', kind: 'static' });
    const [bad, ...good] = [await aReader(team), await aReader(team), await aReader(team)];
    await made(team, `/v2/partner/cohorts/${String(cohort.id)}/members/add`, {
      contact_ids: [bad, ...good],
    });
    await spoil(bad);
    watch.start();
    const template = await aSendingTemplate(team, [anEmail], {
      ...{ entry: 'on_launch_snapshot', target_cohort_ids: [cohort.id] },
    });
    const path = `/v2/partner/journeys?filter[template_id]=${template.id}`;
    const enrolledIds = await eventually(
      async () => (await team.get(path)).body.data.map(({ contact_id }: any) => String(contact_id)),
      (ids) => good.every((id) => ids.includes(id)),
    );
    watch.stop();
    return { team, enrolledIds, good };
  });
  expect(enrolledIds.sort()).toEqual(good.sort());
  expect(await setAside('enrollments', team)).toEqual([
    expect.objectContaining({ team_id: team.id, reason: '23514' }),
  ]);
});

test('a team whose audit events cannot be sealed delays no other team', async () => {
  const { sealAll } = await import('../../src/team/audit-events/sealing/seal.ts');
  const { createLog } = await import('../../src/platform/observability/log.ts');
  const poison = await refuse('audit_seals', 'team_id');
  const waiting = async () =>
    (
      await api.db.look<{ team_id: string }>(
        (sql) => sql`select distinct team_id from audit_unsealed`,
      )
    ).map(({ team_id }) => team_id);
  const team = await inTime('audit-seals', poison, async (spoil, watch) => {
    const [bad, good] = [await aTeam(), await aTeam()];
    await spoil(bad.id);
    watch.start();
    await sealAll({
      database: api.db.database,
      keyring: api.keyring,
      log: createLog('silent', 'worker'),
    });
    expect(await waiting()).not.toContain(good.id);
    watch.stop();
    return bad;
  });
  expect(await waiting()).toContain(team.id);
  expect(await setAside('audit-seals', team)).toEqual([
    expect.objectContaining({ team_id: team.id, reason: '23514' }),
  ]);
});

test('a loop that makes others wait for its bad row is found', async () => {
  const table = `slow_${randomUUID().slice(0, 8)}`;
  await api.db.look((sql) => sql.unsafe(`create table ${table} (id text)`));
  const spoil = (id: string) =>
    api.db.look((sql) =>
      sql.unsafe(`
        create or replace function delay_${table}() returns trigger language plpgsql as $$
        begin
          perform pg_sleep(0.5);
          return new;
        end $$;
        create or replace trigger delay before insert on ${table} for each row
        when (new.id = '${id}') execute function delay_${table}()`),
    );
  const round = async (spoiling: (id: string) => Promise<unknown>, watch: Watch) => {
    await spoiling('bad');
    watch.start();
    await api.db.look((sql) => sql.unsafe(`insert into ${table} values ('bad'), ('good')`));
    watch.stop();
    await api.db.look((sql) => sql.unsafe(`drop trigger if exists delay on ${table}`));
  };
  await expect(inTime('a slow one', spoil, round, 100)).rejects.toThrow('one of at most 100 ms');
  await inTime('a slow one', spoil, round);
});
