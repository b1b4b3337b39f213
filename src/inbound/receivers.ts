import { Type } from 'typebox';
import { receiver } from './receiver.ts';
import type { ReceiverDefinition, ReceiverKind } from './receiver.ts';
import { genericHmac } from './receivers/generic-hmac.ts';

function pending(kind: ReceiverKind, operationId: string): ReceiverDefinition {
  return receiver({
    kind,
    operationId,
    summary: `Receive a callback of ${kind}`,
    scheme: 'none',
    proofHeaders: [],
    settings: Type.Object({}),
    secretSettings: [],
    requiredSettings: [],
    defaultDedupWindowSeconds: 86_400,
    defaultMaxAgeSeconds: 300,
    mediaTypes: ['application/json'],
    bodyLimitBytes: 1_048_576,
    payload: Type.Object({ kind: Type.Literal(kind) }),
    isNative: () => false,
    verify: () => Promise.resolve({ status: 'missing' }),
    read: () => [],
    dedupKey: () => undefined,
    providerEventId: () => undefined,
    providerMessageId: () => undefined,
    eventType: () => kind,
    project: () => undefined,
    sampleEvents: [],
    sample: () => Promise.resolve({ headers: {}, body: '' }),
  });
}

/** Every kind of provider callback. */
export const receivers: Readonly<Record<ReceiverKind, ReceiverDefinition>> = {
  email_a: pending('email_a', 'receiveEmailA'),
  email_b: pending('email_b', 'receiveEmailB'),
  email_c: pending('email_c', 'receiveEmailC'),
  sms_a: pending('sms_a', 'receiveSmsA'),
  sms_b: pending('sms_b', 'receiveSmsB'),
  push_a: pending('push_a', 'receivePushA'),
  push_b: pending('push_b', 'receivePushB'),
  file_transfer_a: pending('file_transfer_a', 'receiveFileTransferA'),
  generic_hmac: genericHmac,
};
