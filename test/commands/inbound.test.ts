import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createInbound } from '../../src/commands/inbound/program.ts';
import { receiverKinds } from '../../src/inbound/receiver.ts';
import type { ReceiverKind } from '../../src/inbound/receiver.ts';
import { receivers } from '../../src/inbound/receivers.ts';
import { verifyStandardWebhook } from '../../src/inbound/signatures/standard-webhooks.ts';
import { closeAll, startReceiver } from '../platform/egress/receiver.ts';
import { callbackOf, noTools } from '../inbound/a-callback.ts';
import { scratchDirectory } from '../local/scratch.ts';

const relaySecret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const receiverToken = 'dors_0123456789';
const relayed = new Set<ReceiverKind>(['email_a', 'push_a', 'file_transfer_a', 'generic_hmac']);
/** The receivers created by the command, and the verified callbacks. */
const made = new Map<string, object>();
const judged: { kind: string; status: string; payload: any }[] = [];
const directory = scratchDirectory();
let base = '';

/** Verifies a received callback as the intake does. */
async function judge(path: string, headers: Record<string, any>, body: string) {
  const kind = receiverKinds.find((known) => path.includes(`/${known}/`)) ?? 'email_a';
  const definition = receivers[kind];
  const sent = callbackOf(
    { headers, body },
    { url: base + path, bytes: Buffer.from(body, 'latin1'), receivedAtMs: Date.now() },
  );
  const proof = relayed.has(kind)
    ? verifyStandardWebhook(sent, [relaySecret])
    : await definition.verify(
        sent,
        { ...made.get(kind), receiver_tokens: [receiverToken] },
        noTools,
      );
  const [item] = definition.isNative(sent)
    ? (definition.read(sent, {}) as any[])
    : [{ payload: sent.json }];
  judged.push({ kind, status: proof.status, payload: item.payload });
  return proof.status === 'valid' ? 200 : 401;
}

beforeAll(async () => {
  const service = await startReceiver((response, { path = '', headers, body }) => {
    const answer = (status: number, value: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (path === '/oauth2/token') answer(200, { access_token: 'token' });
    else if (path === '/v2/partner/incoming-webhook-receivers') {
      const { receiver_kind: kind, verification } = JSON.parse(body);
      made.set(kind, verification);
      const secrets = {
        relay_secret: relaySecret,
        ...(kind === 'push_b' && { receiver_token: receiverToken }),
      };
      answer(201, { id: 'x', receive_url: `${base}/v2/webhooks/inbound/${kind}/x`, secrets });
    } else void judge(path, headers, body).then((status) => answer(status, { status: 'accepted' }));
  });
  base = `http://127.0.0.1:${service.port}`;

  const demo = {
    base_url: base,
    docs_url: base,
    temporal_namespace: 'default',
    client_id: 'id',
    client_secret: 'secret',
  };
  writeFileSync(join(directory, 'demo.json'), JSON.stringify(demo));
  process.env['ONWARD_DATA_DIR'] = directory;
});
afterAll(closeAll);
beforeEach(() => {
  made.clear();
  judged.length = 0;
});

const run = async (...args: string[]) => {
  const lines: string[] = [];
  await createInbound((line) => lines.push(line)).parseAsync([...args, '--json'], { from: 'user' });
  return JSON.parse(lines.join('\n'));
};

test.each(receiverKinds)(
  'a sample of %s is sent to a receiver created for it and passes verification',
  async (kind) => {
    const answer = await run('send', kind, '--setup', '--contact', 'c1');
    expect(answer).toMatchObject({
      status: 'accepted',
      to: `${base}/v2/webhooks/inbound/${kind}/x`,
    });
    expect(judged).toMatchObject([{ kind, status: 'valid' }]);
    if (kind !== 'file_transfer_a' && kind !== 'generic_hmac')
      expect(judged[0]?.payload.do_contact_id).toBe('c1');
    // The receiver is remembered.
    await run('send', kind, '--event', receivers[kind].sampleEvents.at(-1) ?? '');
    expect(judged).toMatchObject([{ status: 'valid' }, { status: 'valid' }]);
    expect(judged[1]?.payload.kind).toBe(kind);
  },
);

test('a named receiver gets a callback signed with the given secret', async () => {
  await run('send', 'email_a', '--receiver', 'r1', '--secret', relaySecret, '--event', 'Bounce');
  await run(
    'send',
    'push_b',
    '--url',
    `${base}/v2/webhooks/inbound/push_b/r2`,
    '--secret',
    receiverToken,
  );
  made.set('email_c', { signing_key: 'k' });
  await run('send', 'email_c', '--receiver', 'r3', '--set', 'signing_key=k');
  expect(judged.map(({ status }) => status)).toEqual(['valid', 'valid', 'valid']);
});

test('a refused callback is reported with the answer of the receiver', async () => {
  made.set('email_c', { signing_key: 'other' });
  await expect(run('send', 'email_c', '--receiver', 'r', '--secret', 'k')).rejects.toThrow(
    'answers 401',
  );
});

test('an invalid option is refused with the valid ones', async () => {
  await expect(run('send', 'email_b', '--event', 'clik')).rejects.toThrow('processed');
  await expect(run('send', 'email_b', '--receiver', 'r')).rejects.toThrow('--secret');
  await expect(run('send', 'email_b', '--receiver', 'r', '--set', 'x')).rejects.toThrow(
    'name=value',
  );
});

test('the kinds are listed with their events', async () => {
  const rows = await run('events');
  expect(rows.map(({ kind }: { kind: string }) => kind)).toEqual([...receiverKinds]);
  expect(rows[0].events).toContain('Bounce');
});
