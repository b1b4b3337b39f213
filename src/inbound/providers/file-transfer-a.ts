import { Type } from 'typebox';
import { OneOf, Timestamp } from '../../platform/schema/fields.ts';
import { correlation, correlationIn } from '../correlation.ts';
import { at, given, numberAt, textAt } from '../read-json.ts';
import { receiver } from '../receiver.ts';
import type { NativeItem } from '../receiver.ts';
import { RawTopicEnvelope, topicForm, topicKind, topicSample } from '../topic.ts';

const Payload = Type.Object(
  {
    kind: Type.Literal('file_transfer_a'),
    event_type: OneOf(['file_uploaded', 'file_upload_failed']),
    server_id: Type.String(),
    username: Type.String(),
    path: Type.String(),
    size_bytes: Type.Optional(Type.Integer({ minimum: 0 })),
    sha256: Type.Optional(Type.String()),
    upload_started_at: Timestamp(),
    upload_completed_at: Timestamp(),
    raw_topic_message_id: Type.String(),
    raw_topic_envelope: RawTopicEnvelope(),
    client_ip: Type.Optional(Type.String()),
    failure_code: Type.Optional(Type.String()),
    failure_message: Type.Optional(Type.String()),
    ...correlation,
  },
  { title: 'file_transfer_a' },
);

const detailType = /^(?:SFTP|FTPS?) Server File Upload (Completed|Failed)$/;

function readMessage(message: unknown, topicMessageId: string): NativeItem {
  if (textAt(message, 'source') !== 'aws.transfer') {
    return { unrecognized: 'The message of the topic is no event of a file transfer.' };
  }
  const outcome = detailType.exec(textAt(message, 'detail-type') ?? '')?.[1];
  if (outcome === undefined) return { ignored: 'The event is not about an upload.' };
  const detail = at(message, 'detail');
  return {
    payload: given({
      kind: 'file_transfer_a',
      event_type: outcome === 'Completed' ? 'file_uploaded' : 'file_upload_failed',
      server_id: textAt(detail, 'server-id'),
      username: textAt(detail, 'username'),
      path: textAt(detail, 'file-path'),
      size_bytes: numberAt(detail, 'bytes'),
      upload_started_at: textAt(detail, 'start-timestamp'),
      upload_completed_at: textAt(detail, 'end-timestamp') ?? textAt(message, 'time'),
      raw_topic_message_id: topicMessageId,
      client_ip: textAt(detail, 'client-ip'),
      failure_code: textAt(detail, 'failure-code'),
      failure_message: textAt(detail, 'failure-message'),
      ...correlationIn(detail),
    }),
  };
}

const topic = topicKind({ kind: 'file_transfer_a', payload: Payload, readMessage });

/** Uploads to an SFTP server of the AWS Transfer family, carried by an SNS topic. */
export const fileTransferA = receiver({
  ...topicForm,
  ...topic,
  kind: 'file_transfer_a',
  operationId: 'receiveFileTransferA',
  summary: 'Receive a notification of an uploaded file through a topic',
  payload: Payload,
  dedupKey: ({ raw_topic_message_id }) => raw_topic_message_id,
  providerEventId: ({ raw_topic_message_id }) => raw_topic_message_id,
  providerMessageId: () => undefined,
  eventType: ({ event_type }) => event_type,
  // A file means nothing to a message: what follows an upload is an import.
  project: () => undefined,
  file: ({ event_type, server_id, username, path, size_bytes, sha256, ...payload }) =>
    event_type === 'file_uploaded'
      ? {
          serverId: server_id,
          username,
          path,
          completedAt: payload.upload_completed_at,
          sizeBytes: size_bytes,
          sha256,
        }
      : undefined,
  sampleEvents: ['file_uploaded', 'file_upload_failed'],
  async sample(event, context) {
    const { nowMs, settings } = context;
    const time = new Date(nowMs).toISOString();
    const hasFailed = event === 'file_upload_failed';
    return topicSample(topic.read, {
      ...context,
      event: {
        version: '0',
        id: `sample-${nowMs}`,
        'detail-type': `SFTP Server File Upload ${hasFailed ? 'Failed' : 'Completed'}`,
        source: 'aws.transfer',
        account: '123456789012',
        time,
        region: 'us-east-1',
        detail: {
          protocol: 'SFTP',
          'server-id': 's-0123456789abcdef0',
          username: textAt(settings, 'username') ?? 'bank',
          'session-id': 'sample',
          'client-ip': '198.51.100.7',
          'file-path': '/inbox/contacts.csv',
          'status-code': hasFailed ? 'FAILED' : 'COMPLETED',
          ...(hasFailed && { 'failure-code': 'CONNECTION_LOST' }),
          bytes: hasFailed ? 0 : 2_048,
          'start-timestamp': time,
          'end-timestamp': time,
        },
      },
    });
  },
});
