import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { receiverKinds } from '../../src/inbound/receiver.ts';
import { receivers } from '../../src/inbound/receivers.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';
import { subscribe, eventTypesOf } from '../support/recorded-events.ts';
import { eventually } from '../support/eventually.ts';
import { aReceiver, anEvent, codeOf, receiversPath } from './a-receiver.ts';

const api = useTestApi();
let team: TestTeam;
beforeAll(async () => {
  team = await api.newTeam();
});

test('the documented fields alone create a receiver of every kind that can be tested', async () => {
  for (const receiver_kind of receiverKinds) {
    const made = await team.post(receiversPath, {
      id: randomUUID(),
      type: 'incoming_webhook_receiver',
      team_id: randomUUID(),
      receiver_kind,
      is_active: true,
      dedup_window_seconds: 3_600,
      signature_required: true,
      inserted_at: '2026-01-01T00:00:00Z',
      updated_at: '2026-01-01T00:00:00Z',
      consecutive_signature_failures: 4,
    });
    expect([receiver_kind, made.status]).toEqual([receiver_kind, 201]);
    const { id, secrets, verification, ...receiver } = made.body;
    expect(receiver).toMatchObject({
      receiver_kind,
      team_id: team.id,
      dedup_window_seconds: 3_600,
      consecutive_signature_failures: 0,
      receive_url: `http://onward.test/v2/webhooks/inbound/${receiver_kind}/${String(id)}`,
    });
    expect(secrets.relay_secret).toMatch(/^whsec_/);
    expect(verification.accepted_headers).toBeInstanceOf(Array);
    const tested = await team.post(`${receiversPath}/${String(id)}/test`);
    expect([receiver_kind, tested.status]).toEqual([receiver_kind, 200]);
    expect(tested.body).toMatchObject({ is_test: true, status: 'processed' });
  }
  // Samples have no side effects.
  const events = await team.get('/v2/partner/engagement-events');
  expect(events.body.data).toEqual([]);
});

const listed = receiverKinds.flatMap((kind) =>
  Object.entries(receivers[kind].settings.properties).flatMap(([setting, schema]) => {
    const values: unknown = 'enum' in schema ? schema.enum : [];
    return Array.isArray(values) ? values.map((value) => ({ kind, setting, value })) : [];
  }),
);

test.each(listed)('$setting of $kind is $value after it was set', async (given) => {
  const { kind, setting, value } = given;
  const receiver = await aReceiver(api, team, { receiver_kind: kind });
  const path = `${receiversPath}/${receiver.id}/verification`;
  expect((await team.get(path)).body[setting]).toBeUndefined();
  expect((await team.patch(path, { [setting]: value })).status).toBe(200);
  expect((await team.get(path)).body).toMatchObject({ [setting]: value });
  await team.delete(`${receiversPath}/${receiver.id}`);
});

test('secrets are shown only on creation', async () => {
  const verification = { signing_key: 'of-the-provider' };
  const made = await team.post(receiversPath, { receiver_kind: 'email_c', verification });
  const path = `${receiversPath}/${String(made.body.id)}`;
  for (const reply of [
    await team.get(path),
    await team.get(`${path}/verification`),
    await team.get(receiversPath),
    await team.patch(`${path}/verification`, { max_age_seconds: 700 }),
  ]) {
    expect(reply.status).toBe(200);
    expect(JSON.stringify(reply.body)).not.toContain('of-the-provider');
    expect(JSON.stringify(reply.body)).not.toContain(made.body.secrets.relay_secret);
  }
  const shown = await team.get(`${path}/verification`);
  expect(shown.body).toMatchObject({
    scheme: 'body_hmac_sha256',
    status: 'configured',
    max_age_seconds: 700,
  });
  const names = shown.body.secrets.map(({ name }: { name: string }) => name);
  expect(names.sort()).toEqual(['relay_secret', 'signing_key']);
  const trail = await team.get(
    `/v2/partner/audit-events?filter[resource_id]=${String(made.body.id)}`,
  );
  expect(trail.body.data.map(({ action }: { action: string }) => action).sort()).toEqual([
    'incoming_webhook_receiver.created',
    'incoming_webhook_receiver.verification_updated',
  ]);
});

test('a repeat with the same key shows the same secrets', async () => {
  const key = { 'Idempotency-Key': randomUUID() };
  const body = { receiver_kind: 'push_b' };
  const first = await team.post(receiversPath, body, key);
  const again = await team.post(receiversPath, body, key);
  expect(first.body.secrets.receiver_token).toMatch(/^dors_/);
  expect(again.body).toEqual(first.body);
});

test('a field of another kind is refused with its pointer', async () => {
  const reply = await team.post(receiversPath, {
    receiver_kind: 'email_c',
    verification: { signing_key: 7, topic_arns: ['x'] },
  });
  expect(codeOf(reply)).toBe('422 validation_failed');
  const pointers = reply.body.errors.map(
    (error: { meta: { pointer: string } }) => error.meta.pointer,
  );
  expect(pointers.sort()).toEqual(['/verification/signing_key', '/verification/topic_arns']);
  const made = await team.post(receiversPath, { receiver_kind: 'email_c' });
  const taken = await team.patch(`${receiversPath}/${String(made.body.id)}`, {
    verification: { 'topic/arns': null },
  });
  expect([taken.status, taken.body.errors[0].meta]).toMatchObject([
    422,
    { pointer: '/verification/topic~1arns', rule: 'unknown_field' },
  ]);
  for (const dedup_window_seconds of [-1, 604_801, 1.5]) {
    const bad = await team.post(receiversPath, { receiver_kind: 'sms_a', dedup_window_seconds });
    expect(codeOf(bad)).toBe('422 validation_failed');
  }
});

test('the kind is immutable, and a full body changes only its edits', async () => {
  const receiver = await aReceiver(api, team);
  const path = `${receiversPath}/${receiver.id}`;
  const { body } = await team.get(path);
  expect((await team.patch(path, { ...body, name: 'Core banking' })).body).toMatchObject({
    name: 'Core banking',
  });
  expect(codeOf(await team.patch(path, { receiver_kind: 'sms_a' }))).toBe('422 immutable_field');
  const stale = await team.patch(path, { name: 'x' }, { 'If-Match': '"1"' });
  expect(codeOf(stale)).toBe('412 precondition_failed');
});

test('after a rotation both secrets are accepted, and a second rotation is refused', async () => {
  const receiver = await aReceiver(api, team);
  const rotate = (body?: object) =>
    team.post(`${receiversPath}/${receiver.id}/rotate-secret`, body);
  const rotated = await rotate();
  expect(rotated.body.previous_expires_at).toBeDefined();
  const secret = String(rotated.body.secrets.relay_secret);
  expect(codeOf(await receiver.send(anEvent()))).toBe('200 accepted');
  expect(codeOf(await receiver.send(anEvent(), { secret }))).toBe('200 accepted');
  expect(codeOf(await rotate())).toBe('409 rotation_in_progress');
  expect((await rotate({ force: true })).status).toBe(200);
  expect(codeOf(await receiver.send(anEvent()))).toBe('401 signature_invalid');
  expect(codeOf(await receiver.send(anEvent(), { secret }))).toBe('200 accepted');
});

test('a replaced secret of a provider is accepted for another day', async () => {
  const verification = { signing_key: 'old' };
  const receiver = await aReceiver(api, team, { receiver_kind: 'generic_hmac', verification });
  // Their own key replaces ours for bodies of their own form; Standard Webhooks need base64.
  const path = `${receiversPath}/${receiver.id}/verification`;
  const key = 'whsec_' + Buffer.alloc(32, 7).toString('base64');
  await team.patch(path, { signing_key: key });
  const native = { type: 'a.b', timestamp: new Date().toISOString(), data: {} };
  expect(codeOf(await receiver.send(native, { secret: key }))).toBe('200 accepted');
  await team.patch(path, { signing_key: 'whsec_' + Buffer.alloc(32, 8).toString('base64') });
  expect(codeOf(await receiver.send(native, { secret: key }))).toMatch(/^200/);
  await team.patch(path, { signing_key: null });
  expect(codeOf(await receiver.send(native, { secret: key }))).toBe('401 signature_invalid');
  expect(codeOf(await receiver.send(native))).toBe('200 accepted');
});

test('a team has at most fifty receivers', async () => {
  const own = await api.newTeam();
  await api.db.look(
    (sql) => sql`
      insert into incoming_webhook_receivers
        (team_id, receiver_kind, is_active, dedup_window_seconds, signature_required)
      select ${own.id}, 'sms_a', true, 0, true from generate_series(1, 50) returning id`,
  );
  expect(codeOf(await own.post(receiversPath, { receiver_kind: 'sms_a' }))).toBe(
    '422 quota_exceeded',
  );
});

test('subscribers receive one event after ten consecutive invalid signatures', async () => {
  const own = await api.newTeam();
  await subscribe(api, own);
  const receiver = await aReceiver(api, own);
  for (let call = 0; call < 12; call += 1) {
    await api.call('POST', receiver.path, { raw: '{}' });
  }
  const types = await eventually(
    () => eventTypesOf(api, own, receiver.id),
    (found) => found.length > 0,
  );
  expect(types).toEqual(['incoming_webhook_receiver.signature_failing']);
});
