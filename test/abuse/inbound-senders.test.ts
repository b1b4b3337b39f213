import { createPrivateKey, sign } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { isConfirmable } from '../../src/inbound/confirmation/rules.ts';
import { stringToSign } from '../../src/inbound/signatures/topic-x509.ts';
import { aReceiver, codeOf, receiversPath } from '../inbound/a-receiver.ts';
import { aQuestion } from '../inbound/a-topic-service.ts';
import { certificateUrl, leaf, toolsWith, topicArn, topicKey } from '../inbound/a-topic.ts';
import { useTestApi } from '../support/use-test-api.ts';
import type { TestTeam } from '../support/api.ts';

const api = useTestApi({}, { verificationTools: toolsWith(leaf()) });
let team: TestTeam;
beforeAll(async () => {
  team = await api.newTeam();
});

const refusalOf = ({ status, body }: { status: number; body: any }) =>
  `${String(status)} ${String(body.errors?.[0]?.meta?.pointer)}`;

/** A message of a topic, signed by the digest of this version. */
function signedBy(SignatureVersion: '1' | '2', fields: Record<string, string> = {}): string {
  const envelope = {
    ...{ Type: 'Notification', MessageId: crypto.randomUUID(), TopicArn: topicArn },
    Message: JSON.stringify({ eventType: 'Send' }),
    Timestamp: new Date().toISOString(),
    ...{ SignatureVersion, SigningCertURL: certificateUrl, ...fields },
  };
  const type = fields['Type'] === undefined ? 'Notification' : 'SubscriptionConfirmation';
  const text = Buffer.from(stringToSign(envelope, type) ?? '');
  const digest = SignatureVersion === '1' ? 'sha1' : 'sha256';
  const Signature = sign(digest, text, createPrivateKey(topicKey)).toString('base64');
  return JSON.stringify({ ...envelope, Signature });
}
const post = (path: string, raw: string) =>
  api.call('POST', path, { raw, headers: { 'Content-Type': 'text/plain' } });

describe('another customer of the bus', () => {
  const audience = 'https://onward.example.com/push';

  test('is not admitted to push_a by an audience without an account', async () => {
    const body = { receiver_kind: 'push_a', verification: { audience } };
    const reply = await team.post(receiversPath, body);
    expect(refusalOf(reply)).toBe('422 /verification/service_account_email');
    const bare = await team.post(receiversPath, { receiver_kind: 'push_a' });
    expect(bare.status).toBe(201);
    const path = `${receiversPath}/${String(bare.body.id)}/verification`;
    expect(refusalOf(await team.patch(path, { audience }))).toBe('422 /service_account_email');
    const pinned = { audience, service_account_email: 'push@bank.iam.gserviceaccount.com' };
    expect((await team.patch(path, pinned)).status).toBe(200);
    const unpinned = await team.patch(path, { service_account_email: null });
    expect(refusalOf(unpinned)).toBe('422 /service_account_email');
    expect((await team.patch(path, { profile: 'static_token' })).status).toBe(200);
  });
});

describe('a stranger who discovers the address of a receiver', () => {
  const email = (verification: object) => ({ receiver_kind: 'email_a', verification });

  test('is not subscribed by auto_confirm without an account or a topic', async () => {
    const reply = await team.post(receiversPath, email({ auto_confirm: true }));
    expect(refusalOf(reply)).toBe('422 /verification/topic_account_id');
    const pinned = { auto_confirm: true, topic_arns: [topicArn] };
    expect((await team.post(receiversPath, email(pinned))).status).toBe(201);
  });

  test('is not subscribed by a receiver with older rules', () => {
    expect(isConfirmable({ auto_confirm: true }, topicArn, 0)).toBe(false);
    expect(isConfirmable({ auto_confirm: true }, 'a', 0)).toBe(false);
  });

  test('is refused by a receiver that names another account', async () => {
    const verification = { auto_confirm: true, topic_account_id: '999999999999' };
    const receiver = await aReceiver(api, team, email(verification));
    const { fields } = aQuestion();
    const question = signedBy('2', { Type: 'SubscriptionConfirmation', ...fields });
    expect(codeOf(await post(receiver.path, question))).toBe('401 signature_invalid');
  });
});

describe('a signature by SHA-1', () => {
  test('of a topic is refused unless the receiver allows it', async () => {
    const fields = { receiver_kind: 'email_a', verification: { topic_arns: [topicArn] } };
    const receiver = await aReceiver(api, team, fields);
    expect(codeOf(await post(receiver.path, signedBy('1')))).toBe('401 signature_invalid');
    expect(codeOf(await post(receiver.path, signedBy('2')))).toBe('200 accepted');
    const path = `${receiversPath}/${receiver.id}/verification`;
    const allowed = await team.patch(path, { allow_signature_version_1: true });
    expect(allowed.body).toMatchObject({ allow_signature_version_1: true });
    expect(codeOf(await post(receiver.path, signedBy('1')))).toBe('200 accepted');
  });
});
