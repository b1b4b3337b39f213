import { Type } from 'typebox';
import { Id, OneOf, Text } from '../../platform/schema/fields.ts';
import { Answer, endpoint } from '../../platform/http/endpoint.ts';
import { channels, messageSteps } from '../../campaigns/messages/message.ts';
import type { MessageRow } from '../../campaigns/messages/message.ts';
import { requireStep } from '../../campaigns/templates/steps/queries.ts';
import { sendTests } from './send-tests.ts';

const TestSends = Type.Object(
  {
    message_id: Id(),
    channel: OneOf([...channels]),
    sends: Type.Array(
      Type.Object({ id: Id(), to_masked: Type.String({ description: 'Most of it hidden' }) }),
    ),
  },
  { title: 'message_test_sends' },
);

export const sendTestMessage = endpoint({
  id: 'sendTestMessage',
  method: 'POST',
  path: '/v2/partner/messages/{id}/test-sends',
  summary: 'Send the current message, with a sample person’s data, to up to five addresses',
  description:
    'Sends the current message to up to five addresses, with the data of a sample ' +
    'person in the language and time zone of the team. Each address is that of a confirmed ' +
    'test recipient, or the e-mail address of an active user of the team, and is not ' +
    'suppressed. The figures of the message do not count it. The message is sent in the ' +
    'background. Each repeat without an Idempotency-Key sends again; a team has 50 test sends ' +
    'in a day.',
  tag: 'Messages',
  scope: 'partner:messages:write',
  rateClass: 'execute',
  audit: 'message.test_sent',
  body: Type.Object(
    {
      to: Type.Array(Text(4_096, 'E-mail address, E.164 number or push token'), {
        minItems: 1,
        maxItems: 5,
        uniqueItems: true,
      }),
    },
    { additionalProperties: false },
  ),
  status: 202,
  response: TestSends,
  async handle({ sql, teamId, params, body: { to }, services: { keyring } }) {
    const message = await requireStep<MessageRow>(sql, messageSteps, teamId, params.id);
    const addresses = to.map((one, at) => ({ to: one, pointer: `/to/${String(at)}` }));
    const sends = await sendTests(sql, keyring, message, addresses);
    const answer = { message_id: message.id, channel: message.channel, sends };
    return new Answer(answer, { itemCount: sends.length });
  },
});

export const messageTestSendEndpoints = [sendTestMessage];
