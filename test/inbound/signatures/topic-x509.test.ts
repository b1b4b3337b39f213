import { X509Certificate, createPublicKey, sign } from 'node:crypto';
import https from 'node:https';
import { EventEmitter } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import MessageValidator from 'sns-validator';
import type { VerificationTools } from '../../../src/inbound/receiver.ts';
import { receivers } from '../../../src/inbound/receivers.ts';
import {
  confirmationUrl,
  stringToSign,
  verifyTopic,
} from '../../../src/inbound/signatures/topic-x509.ts';
import { topicHost, topicHostNames } from '../../../src/inbound/signatures/topic-hosts.ts';
import { callbackOf, nowMs, receiveUrl, withChange } from '../a-callback.ts';
import {
  certificateUrl,
  createAuthority,
  intermediate,
  issuerUrl,
  leaf,
  root,
  stranger,
  toolsWith,
  topicArn,
  topicKey,
  topicSigning,
} from '../a-topic.ts';

type Envelope = Record<string, any>;
const settings = { topic_arns: [topicArn], allow_signature_version_1: true };
const goodLeaf = leaf();
const minute = 60_000;

/** Signs any fields as the topic does. */
function signed(changes: Envelope = {}): Envelope {
  const envelope: Envelope = {
    Type: 'Notification',
    MessageId: 'e1c0ffee-0000-4000-8000-000000000001',
    TopicArn: topicArn,
    Message: '{"eventType":"Send"}',
    Timestamp: new Date(nowMs).toISOString(),
    SignatureVersion: '2',
    SigningCertURL: certificateUrl,
    UnsubscribeURL: 'https://sns.us-east-1.amazonaws.com/?Action=Unsubscribe',
    ...changes,
  };
  const text = stringToSign(envelope, envelope.Type) ?? '';
  const digest = envelope.SignatureVersion === '1' ? 'sha1' : 'sha256';
  return { Signature: sign(digest, Buffer.from(text), topicKey).toString('base64'), ...envelope };
}

const question = {
  Type: 'SubscriptionConfirmation',
  Token: '2336412f37',
  SubscribeURL: `https://sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${topicArn}&Token=2336412f37`,
};

interface Given {
  tools?: VerificationTools;
  headers?: Record<string, string>;
  at?: number;
  pins?: { topic_arns?: string[] };
}

async function judge(envelope: Envelope, given: Given = {}) {
  const { tools = toolsWith(goodLeaf), headers = {}, at = nowMs, pins = settings } = given;
  const callback = callbackOf({ headers, body: JSON.stringify(envelope) }, { receivedAtMs: at });
  return (await verifyTopic(callback, callback.json, pins, tools)).status;
}

describe('a signature of a topic', () => {
  const forms: [string, Envelope][] = [
    ['a notification, version 1', { SignatureVersion: '1' }],
    ['a notification, version 2', {}],
    ['a notification with a subject', { Subject: 'Hello' }],
    ['a notification with line breaks in its message', { Message: 'a\nMessageId\nb\n\nc' }],
    ['a notification beyond ASCII', { Message: 'Grüße 🎉 "quoted" \\ ' }],
    ['a question, version 1', { ...question, SignatureVersion: '1' }],
    ['a question, version 2', question],
  ];

  test.each(forms)('%s is valid', async (_, changes) => {
    expect(await judge(signed(changes))).toBe('valid');
  });

  test('the end of a subscription is valid, too', async () => {
    expect(await judge(signed({ ...question, Type: 'UnsubscribeConfirmation' }))).toBe('valid');
  });

  describe('compared with sns-validator:', () => {
    const get = https.get;
    beforeAll(() => {
      // The library fetches by itself; the test serves the file instead.
      const serve = (_url: string, answer: (response: any) => void) => {
        const response: any = new EventEmitter();
        response.statusCode = 200;
        answer(response);
        response.emit('data', goodLeaf);
        response.emit('end');
        return new EventEmitter();
      };
      (https as any).get = serve;
    });
    afterAll(() => {
      https.get = get;
    });
    const peer = (envelope: Envelope) =>
      new Promise<boolean>((resolve) =>
        new MessageValidator().validate({ ...envelope }, (error: unknown) => resolve(!error)),
      );

    test.each(forms)('%s is valid', async (_, changes) => {
      expect(await peer(signed(changes))).toBe(true);
    });

    test.each(forms)('%s, forged, is invalid', async (_, changes) => {
      const forged = { ...signed(changes), Message: 'forged' };
      expect(await peer(forged)).toBe(false);
      expect(await judge(forged)).toBe('invalid');
    });
  });

  test('covers the documented text', () => {
    const text = stringToSign(signed({ Subject: 'Hi' }), 'Notification');
    expect(text).toBe(
      `Message\n{"eventType":"Send"}\nMessageId\ne1c0ffee-0000-4000-8000-000000000001\nSubject\nHi\nTimestamp\n2026-03-01T12:00:00.000Z\nTopicArn\n${topicArn}\nType\nNotification\n`,
    );
    expect(stringToSign(signed(question), 'SubscriptionConfirmation')).toBe(
      `Message\n{"eventType":"Send"}\nMessageId\ne1c0ffee-0000-4000-8000-000000000001\nSubscribeURL\n${question.SubscribeURL}\nTimestamp\n2026-03-01T12:00:00.000Z\nToken\n2336412f37\nTopicArn\n${topicArn}\nType\nSubscriptionConfirmation\n`,
    );
  });
});

describe('the address of a certificate', () => {
  const file = '/SimpleNotificationService-0123456789abcdef.pem';
  const refused = [
    `http://sns.us-east-1.amazonaws.com${file}`,
    `https://sns.us-east-1.amazonaws.com:8443${file}`,
    `https://sns.us-east-1.amazonaws.com:443${file}`,
    `https://sns.us-east-1.amazonaws.com:80${file}`,
    `https://user@sns.us-east-1.amazonaws.com${file}`,
    `https://user:pass@sns.us-east-1.amazonaws.com${file}`,
    `https://@sns.us-east-1.amazonaws.com${file}`,
    `https://sns.us-east-1.amazonaws.com@evil.example${file}`,
    `https://evil.example#@sns.us-east-1.amazonaws.com${file}`,
    `https://sns.us-east-1.amazonaws.com${file}?x=1`,
    `https://sns.us-east-1.amazonaws.com${file}?`,
    `https://sns.us-east-1.amazonaws.com${file}#x`,
    `https://sns.us-east-1.amazonaws.com${file}#`,
    `https://sns.us-east-1.amazonaws.com.${file}`,
    `https://SNS.us-east-1.amazonaws.com${file}`,
    `https://sns.us-east-1.amazonaws.com.evil.example${file}`,
    `https://sns.us-east-1.amazonaws.com.cn.evil.example${file}`,
    `https://sns.us-east-1.amazonaws.co${file}`,
    `https://sns.us-east-1.amazonaws.comm${file}`,
    `https://sns.us-east-1.amazonaws-com.example${file}`,
    `https://sns-us-east-1.amazonaws.com${file}`,
    `https://evilsns.us-east-1.amazonaws.com${file}`,
    `https://evil.sns.us-east-1.amazonaws.com${file}`,
    `https://sns.us-east-1.evil.amazonaws.com${file}`,
    `https://snsXus-east-1.amazonaws.com${file}`,
    `https://sns.us-east-1xamazonaws.com${file}`,
    // A bucket called sns, in regions whose old hosts looked so
    `https://sns.s3.amazonaws.com${file}`,
    `https://sns.s3-us-west-2.amazonaws.com${file}`,
    `https://sns.s3.us-west-2.amazonaws.com${file}`,
    `https://s3.amazonaws.com/sns${file}`,
    `https://sns.s3-website-us-east-1.amazonaws.com${file}`,
    `https://sns.us-east-1.elb.amazonaws.com${file}`,
    `https://sns.execute-api.us-east-1.amazonaws.com${file}`,
    `https://sns.us-east-12.amazonaws.com${file}`,
    `https://sns.useast-1x.amazonaws.com${file}`,
    `https://sns.amazonaws.com${file}`,
    `https://sns.us-iso-east-1.amazonaws.com${file}`,
    `https://sns.cn-north-1.amazonaws.com${file}`,
    `https://sns.us-east-1.amazonaws.com.cn${file}`,
    `https://sns.eusc-de-east-1.amazonaws.com${file}`,
    `https://sns.us-east-1.amazonaws.eu${file}`,
    `https://sns.eusc-de-east-1.amazonaws.eu.evil.example${file}`,
    `https://127.0.0.1${file}`,
    `https://[::1]${file}`,
    `https://169.254.169.254${file}`,
    `https://sns.us-east-1.amazonaws.com/other.pem`,
    `https://sns.us-east-1.amazonaws.com//SimpleNotificationService-1.pem`,
    `https://sns.us-east-1.amazonaws.com/a/../SimpleNotificationService-1.pem`,
    `https://sns.us-east-1.amazonaws.com/./SimpleNotificationService-1.pem`,
    `https://sns.us-east-1.amazonaws.com/%53impleNotificationService-1.pem`,
    `https://sns.us-east-1.amazonaws.com/SimpleNotificationService-1.pem/`,
    `https://sns.us-east-1.amazonaws.com/SimpleNotificationService-1.pem.html`,
    `https://sns.us-east-1.amazonaws.com/SimpleNotificationService-.pem`,
    `https://sns.us-east-1.amazonaws.com/SimpleNotificationService-${'a'.repeat(65)}.pem`,
    `https://sns.us-east-1.amazonaws.com/SimpleNotificationService-1;x.pem`,
    `https://sns.us-east-1.amazonaws.com/SimpleNotificationService-1%00.pem`,
    `https://sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription`,
    `https:/sns.us-east-1.amazonaws.com${file}`,
    `https:sns.us-east-1.amazonaws.com${file}`,
    `https:\\\\sns.us-east-1.amazonaws.com${file}`,
    `https://sns.us-east-1.amazonaws.com\\@evil.example${file}`,
    ` https://sns.us-east-1.amazonaws.com${file}`,
    `https://sns.us-east-1.amazonaws.com${file}\n`,
    `https://sns.us-east-1.amazonaws.com\t${file}`,
    `https://sns。us-east-1.amazonaws.com${file}`,
    `https://ѕns.us-east-1.amazonaws.com${file}`,
    `//sns.us-east-1.amazonaws.com${file}`,
    `ftp://sns.us-east-1.amazonaws.com${file}`,
    `file:///etc/passwd`,
    `data:text/plain,x`,
    'not a url',
    '',
  ];

  test.each(refused.map((url) => [url]))('%j is refused, and nothing is fetched', async (url) => {
    const tools = toolsWith(goodLeaf);
    expect(await judge(signed({ SigningCertURL: url }), { tools })).toBe('invalid');
    expect(tools.asked).toEqual([]);
  });

  test.each([
    `https://sns.us-east-1.amazonaws.com${file}`,
    `https://sns.eu-central-1.amazonaws.com${file}`,
    `https://sns.us-gov-west-1.amazonaws.com${file}`,
    `https://sns.mx-central-1.amazonaws.com${file}`,
  ])('%s is accepted', async (url) => {
    expect(await judge(signed({ SigningCertURL: url }))).toBe('valid');
  });

  test.each([
    ['aws-cn', 'sns.cn-north-1.amazonaws.com.cn', 'sns.amazonaws.com.cn'],
    ['aws-eusc', 'sns.eusc-de-east-1.amazonaws.eu', 'sns.amazonaws.eu'],
    ['aws-iso', 'sns.us-iso-east-1.c2s.ic.gov', 'sns.c2s.ic.gov'],
  ])('of the partition %s requires its own name in the certificate', async (id, host, name) => {
    const [, region = ''] = host.split('.');
    const TopicArn = `arn:${id}:sns:${region}:123456789012:onward`;
    const envelope = signed({ TopicArn, SigningCertURL: `https://${host}${file}` });
    const pins = { topic_arns: [TopicArn] };
    expect(await judge(envelope, { pins })).toBe('invalid');
    for (const named of [host, name]) {
      expect(await judge(envelope, { pins, tools: toolsWith(leaf({ name: named })) })).toBe(
        'valid',
      );
    }
    const confirmation = `https://${host}/?Action=ConfirmSubscription&Token=1`;
    expect(confirmationUrl(confirmation)).toBe(confirmation);
  });

  // Regions and domains of partitions as the provider's libraries list them.
  test.each([
    ['us-east-1', 'amazonaws.com'],
    ['ap-southeast-7', 'amazonaws.com'],
    ['us-gov-east-1', 'amazonaws.com'],
    ['cn-northwest-1', 'amazonaws.com.cn'],
    ['eusc-de-east-1', 'amazonaws.eu'],
    ['us-iso-west-1', 'c2s.ic.gov'],
    ['us-isob-east-1', 'sc2s.sgov.gov'],
    ['eu-isoe-west-1', 'cloud.adc-e.uk'],
    ['us-isof-south-1', 'csp.hci.ic.gov'],
  ])('of the region %s is in the domain %s', (region, domain) => {
    const host = topicHost(region);
    expect(host).toBe(`sns.${region}.${domain}`);
    expect(topicHostNames(host)).toEqual([host, `sns.${domain}`]);
  });

  test.each([
    'https://sns.us-east-1.amazonaws.com/?Action=Unsubscribe',
    'https://sns.us-east-1.amazonaws.com/x?Action=ConfirmSubscription',
    'http://sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription',
    'https://169.254.169.254/?Action=ConfirmSubscription',
    'https://sns.us-east-1.amazonaws.com.evil.example/?Action=ConfirmSubscription',
    'https://user@sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription',
    'https://sns.us-east-1.amazonaws.com:8443/?Action=ConfirmSubscription',
    undefined,
  ])('a SubscribeURL of %s is never returned', (url) => {
    expect(confirmationUrl(url)).toBeUndefined();
  });
});

describe('a signing certificate', () => {
  const day = 86_400_000;
  const other = createAuthority('Other', root);
  const notAuthority = {
    name: 'sns.amazonaws.com',
    privateKey: intermediate.privateKey,
  };
  const elliptic = createPublicKey(intermediate.privateKey);

  const refused: [string, string][] = [
    ['of a stranger who calls his root as ours', leaf({ issuer: stranger })],
    [
      'with the right name, signed by itself',
      leaf({ issuer: { name: 'sns.amazonaws.com', privateKey: root.privateKey } }),
    ],
    ['of an intermediate that is not at hand', leaf({ issuer: intermediate })],
    ['with a chain of strangers', leaf({ issuer: stranger }) + stranger.pem],
    ['with the root of a stranger, and ours beside it', leaf({ issuer: stranger }) + root.pem],
    ['that has expired', leaf({ notAfter: new Date(nowMs - 1_000) })],
    ['that is not valid yet', leaf({ notBefore: new Date(nowMs + 1_000) })],
    ['of another name', leaf({ name: 'evil.example' })],
    ['of a name that only begins so', leaf({ name: 'sns.amazonaws.com.evil.example' })],
    ['of a wildcard', leaf({ name: '*.amazonaws.com' })],
    ['of another service', leaf({ name: 's3.amazonaws.com' })],
    ['of a region that is not the address’s', leaf({ name: 'sns.eu-west-1.amazonaws.com' })],
    [
      'whose issuer is no authority',
      leaf({ issuer: notAuthority }) + leaf({ publicKey: elliptic }),
    ],
    ['with an elliptic key', leaf({ publicKey: elliptic })],
    ['that is empty', ''],
    ['that is no PEM', 'hello'],
    ['that is broken', goodLeaf.replace(/[A-Z]{4}/, 'AAAA')],
    ['that is a private key', topicKey],
    ['behind a root', root.pem + goodLeaf],
  ];

  test.each(refused)('%s is refused', async (_, pem) => {
    expect(await judge(signed(), { tools: toolsWith(pem) })).toBe('invalid');
  });

  test('leads to a root through intermediates in its file', async () => {
    expect(
      await judge(signed(), {
        tools: toolsWith(leaf({ issuer: other }) + intermediate.pem + other.pem),
      }),
    ).toBe('valid');
  });

  test('leads to a root through the issuer that it points to, as those of the service do', async () => {
    const pem = leaf({ issuer: intermediate, issuerUrl });
    const tools = toolsWith(pem, new X509Certificate(intermediate.pem).raw);
    expect(await judge(signed(), { tools })).toBe('valid');
    expect(tools.asked).toEqual([certificateUrl, issuerUrl]);
  });

  test('causes an error if its issuer is unavailable, so that the provider sends again', async () => {
    const tools = toolsWith(leaf({ issuer: intermediate, issuerUrl }));
    await expect(judge(signed(), { tools })).rejects.toThrow('away');
  });

  test.each([
    'http://169.254.169.254/r2m01.cer',
    'http://crt.r2m01.amazontrust.com.evil.example/r2m01.cer',
    'http://evil.example/crt.r2m01.amazontrust.com/r2m01.cer',
    'http://crt.r2m01.amazontrust.com:8080/r2m01.cer',
    'http://user@crt.r2m01.amazontrust.com/r2m01.cer',
    'http://crt.r2m01.amazontrust.com/../r2m01.cer',
    'file:///etc/passwd',
  ])('does not cause a fetch of %s', async (url) => {
    const tools = toolsWith(leaf({ issuer: intermediate, issuerUrl: url }), Buffer.from('x'));
    expect(await judge(signed(), { tools })).toBe('invalid');
    expect(tools.asked).toEqual([certificateUrl]);
  });

  test.each([
    ['garbage', Buffer.from('garbage')],
    [
      'a stranger of the same name',
      new X509Certificate(createAuthority('Test Intermediate', stranger).pem).raw,
    ],
    ['the leaf itself', new X509Certificate(goodLeaf).raw],
  ])('is refused if its issuer is %s', async (_, der) => {
    const tools = toolsWith(leaf({ issuer: intermediate, issuerUrl }), der);
    expect(await judge(signed(), { tools })).toBe('invalid');
  });

  test('that cannot be fetched causes a temporary error and no acceptance', async () => {
    const tools = { ...toolsWith(''), fetchCertificate: () => Promise.reject(new Error('away')) };
    await expect(judge(signed(), { tools })).rejects.toThrow('away');
  });

  test('is verified at the time of the callback', async () => {
    const tools = toolsWith(leaf({ notAfter: new Date(nowMs + day) }));
    const late = { Timestamp: new Date(nowMs + 2 * day).toISOString() };
    expect(await judge(signed(late), { tools, at: nowMs + 2 * day })).toBe('invalid');
  });
});

describe('an envelope', () => {
  const one = signed();
  const refused: [string, Envelope][] = [
    ['of another topic', signed({ TopicArn: `${topicArn}2` })],
    [
      'of the same topic in another account',
      signed({ TopicArn: topicArn.replace('123456789012', '210987654321') }),
    ],
    ['of no signature', { ...one, Signature: undefined }],
    ['with an empty signature', { ...one, Signature: '' }],
    ['with a truncated signature', { ...one, Signature: one.Signature.slice(0, -8) }],
    ['with line breaks in its signature', { ...one, Signature: `${one.Signature}\n` }],
    [
      'with the signature of version 1 called 2',
      { ...signed({ SignatureVersion: '1' }), SignatureVersion: '2' },
    ],
    ['with the signature of version 2 called 1', { ...one, SignatureVersion: '1' }],
    ['of a version that is a key of objects', { ...one, SignatureVersion: '__proto__' }],
    ['of version 3', { ...one, SignatureVersion: '3' }],
    ['of version 2 as a number', { ...one, SignatureVersion: 2 }],
    ['of no version', { ...one, SignatureVersion: undefined }],
    ['with an added subject', { ...one, Subject: 'x' }],
    ['with a removed subject', { ...signed({ Subject: 'x' }), Subject: undefined }],
    ['with a subject of null', { ...one, Subject: null }],
    ['with another message', { ...one, Message: '{"eventType":"Bounce"}' }],
    ['with another id', { ...one, MessageId: 'x' }],
    ['with another time', { ...one, Timestamp: new Date(nowMs - minute).toISOString() }],
    ['called a question', { ...one, ...question }],
    [
      'whose message swallowed the id',
      { ...one, Message: `${one.Message}\nMessageId\n${one.MessageId}`, MessageId: '' },
    ],
    ['whose id has line breaks', signed({ MessageId: 'a\nSubject\nb' })],
    ['whose subject has line breaks', signed({ Subject: 'a\nTimestamp\nb' })],
    ['whose time has line breaks', signed({ Timestamp: `${one.Timestamp}\n` })],
    ['whose time is none', signed({ Timestamp: 'yesterday' })],
    ['with a message that is no text', { ...one, Message: { eventType: 'Send' } }],
    ['with a list of topics', { ...one, TopicArn: [topicArn] }],
    ['of an unknown type', signed({ Type: 'Surprise' })],
  ];

  test.each(refused)('%s is refused', async (_, envelope) => {
    expect(['invalid', 'missing']).toContain(await judge(envelope));
    expect(await judge(envelope)).not.toBe('valid');
  });

  test('cannot move text between its message and its other fields', async () => {
    // One signed text, read as two envelopes: only one of them may be good.
    const honest = signed({ Message: 'a\nMessageId\nb\nSubject\nc' });
    const text = stringToSign(honest, 'Notification') ?? '';
    const [, message, , id, , subject] = text.split('\n');
    const cut = {
      ...honest,
      Message: message,
      MessageId: id,
      Subject: `${subject}\nMessageId\n${honest.MessageId}`,
    };
    expect(await judge(honest)).toBe('valid');
    expect(await judge(cut)).toBe('invalid');
  });

  test.each([
    ['as old as may be', 4_200, 'valid'],
    ['a second older', 4_201, 'expired'],
    ['ahead as far as may be', -300, 'valid'],
    ['a second further ahead', -301, 'expired'],
  ])('%s is %s s old', async (_, age, status) => {
    expect(await judge(one, { at: nowMs + age * 1_000 })).toBe(status);
  });

  test.each(['x-amz-sns-message-type', 'x-amz-sns-message-id', 'x-amz-sns-topic-arn'])(
    'that disagrees with the header %s is refused',
    async (header) => {
      expect(await judge(one, { headers: { [header]: 'other' } })).toBe('invalid');
    },
  );

  test('of an unknown topic causes no certificate fetch', async () => {
    const tools = toolsWith(goodLeaf);
    await judge(signed({ TopicArn: `${topicArn}2` }), { tools });
    expect(tools.asked).toEqual([]);
  });

  test('of an unpinned receiver is refused, except for the first confirmation request', async () => {
    for (const pins of [{}, { topic_arns: [] }]) {
      expect(await judge(one, { pins })).toBe('invalid');
      expect(await judge(signed(question), { pins })).toBe('valid');
      expect(await judge(signed({ ...question, Type: 'UnsubscribeConfirmation' }), { pins })).toBe(
        'invalid',
      );
    }
  });

  test('of a pinned receiver is refused as a confirmation request of another topic', async () => {
    expect(await judge(signed({ ...question, TopicArn: `${topicArn}2` }))).toBe('invalid');
  });

  test('may have its fields in any order', async () => {
    const reversed = Object.fromEntries(Object.entries(one).reverse());
    expect(await judge(reversed)).toBe('valid');
  });
});

describe('a callback of a topic', () => {
  const { email_a: emailA } = receivers;
  const tools = toolsWith(goodLeaf);

  test('with one byte changed is refused, or has the same content', async () => {
    const sample = await emailA.sample('Bounce', {
      url: receiveUrl,
      settings: topicSigning,
      nowMs,
    });
    const honest = callbackOf(sample);
    const said = emailA.read(honest, settings);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(sample.body.length - 1),
        fc.integer({ min: 1, max: 127 }),
        async (at, byte) => {
          const bytes = Buffer.from(sample.body);
          fc.pre(bytes[at] !== byte);
          bytes[at] = byte;
          const changed = callbackOf(sample, { bytes });
          const isProven =
            emailA.isNative(changed) &&
            (await emailA.verify(changed, settings, tools)).status === 'valid';
          if (isProven) expect(emailA.read(changed, settings)).toEqual(said);
        },
      ),
      { numRuns: 400 },
    );
  });

  test('with one character of a header changed is refused', async () => {
    const sample = await emailA.sample('Send', { url: receiveUrl, settings: topicSigning, nowMs });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('x-amz-sns-message-type', 'x-amz-sns-message-id', 'x-amz-sns-topic-arn'),
        fc.nat(200),
        async (name, at) => {
          const headers = { ...sample.headers, [name]: withChange(sample.headers[name] ?? '', at) };
          const verification = await emailA.verify(
            callbackOf({ ...sample, headers }),
            settings,
            tools,
          );
          expect(verification.status).toBe('invalid');
        },
      ),
      { numRuns: 100 },
    );
  });

  describe('that a relay unwrapped, with its envelope,', () => {
    const enveloped = async () => {
      const sample = await emailA.sample('Bounce', {
        url: receiveUrl,
        settings: topicSigning,
        nowMs,
      });
      const native = callbackOf(sample);
      const [item] = emailA.read(native, settings) as any[];
      return { ...item.payload, raw_topic_envelope: native.json };
    };
    const judgeBody = async (body: object) => {
      const callback = callbackOf({ headers: {}, body: JSON.stringify(body) });
      expect(emailA.isNative(callback)).toBe(false);
      return (await emailA.verify(callback, settings, tools)).status;
    };

    test('is authenticated by the envelope', async () => {
      expect(await judgeBody(await enveloped())).toBe('valid');
    });

    test.each([
      ['another id', { raw_topic_message_id: 'other' }],
      ['another event', { email_a_event_type: 'Complaint' }],
      ['another recipient', { destination: ['eve@example.com'] }],
      ['a contact that the envelope does not name', { do_contact_id: 'x' }],
      ['a softer bounce', { bounce: { bounce_type: 'Transient' } }],
      ['a field less', { source: undefined }],
    ])('is refused if it contains %s', async (_, changes) => {
      expect(await judgeBody({ ...(await enveloped()), ...changes })).toBe('invalid');
    });

    test('is left to other schemes without the envelope', async () => {
      expect(await judgeBody({ ...(await enveloped()), raw_topic_envelope: undefined })).toBe(
        'missing',
      );
    });

    test('is refused with a confirmation request as its envelope', async () => {
      const body = { ...(await enveloped()), raw_topic_envelope: signed(question) };
      expect(await judgeBody(body)).toBe('invalid');
    });
  });

  test('without any envelope counts as missing', async () => {
    for (const body of ['{}', '[]', 'null', '"x"', '{"Type":"Notification"}', 'no json']) {
      const callback = callbackOf({ headers: {}, body });
      expect((await emailA.verify(callback, settings, tools)).status).toBe('missing');
    }
  });
});
