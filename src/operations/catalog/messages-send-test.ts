import { Type } from 'typebox';
import { Id, Text } from '../../platform/schema/fields.ts';
import { messageSteps } from '../../campaigns/messages/message.ts';
import type { MessageRow } from '../../campaigns/messages/message.ts';
import { requireStep } from '../../campaigns/templates/steps/queries.ts';
import { sendTests } from '../../messaging/test-sends/send-tests.ts';
import { oneByOne, operation } from '../operation-type.ts';

export const messagesSendTest = operation({
  kind: 'messages.send_test',
  category: 'messages',
  summary: 'Send the current message, with a sample person’s data, to an address',
  notes:
    'It counts nowhere: there is no delivery of it. The address is that of a confirmed test ' +
    'recipient or of an active user; a team has 50 test sends in a day.',
  idempotencyMode: 'keyed',
  failureMode: 'partial_ok',
  bulkThreshold: 5,
  executionMode: 'sync',
  scopes: ['partner:messages:write'],
  rateLimitClass: 'execute',
  audit: 'message.test_sent',
  input: Type.Object(
    { message_id: Id(), to: Text(4_096, 'E-mail address, E.164 number or push token') },
    { additionalProperties: false },
  ),
  output: Type.Object({ id: Id(), to_masked: Type.String() }),
  apply: oneByOne(async ({ sql, teamId, keyring }, { message_id, to }) => {
    const message = await requireStep<MessageRow>(sql, messageSteps, teamId, message_id);
    const addresses = [{ to, pointer: '/to' }];
    const [sent = { id: '', to_masked: '' }] = await sendTests(sql, keyring, message, addresses);
    return { status: 'created', row: { ...sent, type: 'message_test_send' } };
  }),
});
