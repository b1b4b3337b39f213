import { correlationIn } from '../correlation.ts';
import { given, numberAt, renamed, textAt } from '../read-json.ts';
import type { NativeItem } from '../receiver.ts';

/** The older form posts of email_c's provider, which name events and fields in other words. */

const events: Readonly<Record<string, string>> = {
  delivered: 'delivered',
  opened: 'opened',
  clicked: 'clicked',
  unsubscribed: 'unsubscribed',
  complained: 'complained',
  // Given up, and refused for good by the recipient's server.
  dropped: 'failed',
  bounced: 'failed',
};

const clientFields = {
  client_name: 'client-name',
  client_os: 'client-os',
  client_type: 'client-type',
  device_type: 'device-type',
  user_agent: 'user-agent',
};

/** Reads a form post. It has no id of the event: the token of the signature, valid once, identifies it. */
export function readForm(form: URLSearchParams): NativeItem {
  const fields = Object.fromEntries(form);
  const word = textAt(fields, 'event')?.toLowerCase();
  if (word === undefined) return { unrecognized: 'The form names no event.' };
  const event = Object.hasOwn(events, word) ? events[word] : undefined;
  if (event === undefined) return { ignored: 'The event is not of a message.' };
  const hasFailed = event === 'failed';
  const client = renamed(fields, clientFields);
  const messageId = textAt(fields, 'Message-Id') ?? textAt(fields, 'message-id');
  return {
    payload: given({
      kind: 'email_c',
      event,
      timestamp: numberAt(fields, 'timestamp'),
      email_c_event_id: textAt(fields, 'token'),
      // Posts about unsubscribing have none.
      message_id: messageId?.replace(/^<(.*)>$/s, '$1') ?? '',
      ...renamed(fields, { recipient: 'recipient', url: 'url', ip: 'ip' }),
      ...(hasFailed && {
        severity: 'permanent',
        ...renamed(fields, { reason: 'reason' }),
        delivery_status: given({
          code: numberAt(fields, 'code'),
          message: textAt(fields, 'error') ?? textAt(fields, 'description'),
        }),
      }),
      client_info: Object.keys(client).length > 0 ? client : undefined,
      ...correlationIn(fields),
    }),
  };
}
