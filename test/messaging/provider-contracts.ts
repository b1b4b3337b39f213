import type { IncomingHttpHeaders } from 'node:http';
import { Type } from 'typebox';
import type { TSchema } from 'typebox';
import type { ProviderKind } from '../../src/messaging/providers/team-provider.ts';
import { topicArn } from '../inbound/a-topic.ts';
import { hasAwsSignature } from './aws-signature.ts';

/** A request as a provider receives it. */
export interface ProviderRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: any;
  /** The body as it came. */
  text: string;
}

interface Operation {
  /** Describes headers and body. */
  schema: TSchema;
  answer: { status: number; headers?: Record<string, string>; body: string };
}

/** Interface of a provider, as its documentation describes it. */
export interface Contract {
  kind: Exclude<ProviderKind, 'smtp'>;
  account: string;
  /** By method and path. */
  operations: Readonly<Record<string, Operation>>;
  isAuthorized(request: ProviderRequest, secret: string): boolean;
  /** The callback about an accepted message: its body, and the query of its address. */
  echo(request: ProviderRequest): { body: object; query?: string };
}

const Text = (pattern?: string) => Type.String({ minLength: 1, ...(pattern && { pattern }) });
const Email = () => Text('^[^@\\s<>]+@[^@\\s<>]+$');
const strict = { additionalProperties: false } as const;
const request = (contentType: string, body: TSchema) =>
  Type.Object({ headers: Type.Object({ 'content-type': Text(`^${contentType}`) }), body });
const Get = Type.Object({ headers: Type.Object({ authorization: Text() }) });
const Ids = Type.Object({
  do_message_id: Type.Optional(Text()),
  do_contact_id: Type.Optional(Text()),
  do_journey_id: Type.Optional(Text()),
});
const ok = (body: object, status = 200) => ({ status, body: JSON.stringify(body) });
const basic = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
const bearer = ({ headers }: ProviderRequest, secret: string) =>
  headers['authorization'] === `Bearer ${secret}`;

const nowSeconds = 1_769_851_800;
const uuid = '0b9c5f0e-7d7e-4c55-9a1b-3f2f6f2a8c11';
const sid = 'SM0123456789abcdef0123456789abcdef';

/** https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html */
const emailA: Contract = {
  kind: 'email_a',
  account: 'AKIAIOSFODNN7EXAMPLE',
  operations: {
    'POST /v2/email/outbound-emails': {
      schema: request(
        'application/json',
        Type.Object(
          {
            FromEmailAddress: Type.Optional(Text()),
            Destination: Type.Object({ ToAddresses: Type.Array(Email()) }, strict),
            Content: Type.Object(
              { Raw: Type.Object({ Data: Text('^[A-Za-z0-9+/]+=*$') }, strict) },
              strict,
            ),
            EmailTags: Type.Array(
              Type.Object(
                { Name: Text('^[A-Za-z0-9_-]{1,256}$'), Value: Text('^[A-Za-z0-9_.@-]{1,256}$') },
                strict,
              ),
              { maxItems: 50 },
            ),
          },
          strict,
        ),
      ),
      answer: ok({ MessageId: '0100018f-0a1b-4c2d-9e3f-000000' }),
    },
    'GET /v2/email/account': { schema: Get, answer: ok({ SendingEnabled: true }) },
  },
  isAuthorized: (received, secret) => hasAwsSignature(received, emailA.account, secret),
  echo: ({ body }) => ({
    body: {
      Type: 'Notification',
      MessageId: uuid,
      TopicArn: topicArn,
      Timestamp: '2026-03-01T12:00:00.000Z',
      Message: JSON.stringify({
        eventType: 'Delivery',
        mail: {
          timestamp: '2026-03-01T11:59:00.000Z',
          messageId: '0100018f-0a1b-4c2d-9e3f-000000',
          source: 'hello@bank.example',
          destination: body.Destination.ToAddresses,
          tags: Object.fromEntries(
            body.EmailTags.map(({ Name, Value }: Record<string, string>) => [Name, [Value]]),
          ),
        },
        delivery: { timestamp: '2026-03-01T11:59:30.000Z' },
      }),
    },
  }),
};

const Person = Type.Object({ email: Email(), name: Type.Optional(Text()) }, strict);
/** https://www.twilio.com/docs/sendgrid/api-reference/mail-send/mail-send */
const emailB: Contract = {
  kind: 'email_b',
  account: '',
  operations: {
    'POST /v3/mail/send': {
      schema: request(
        'application/json',
        Type.Object(
          {
            personalizations: Type.Array(
              Type.Object({ to: Type.Array(Person), custom_args: Ids }, strict),
              { minItems: 1, maxItems: 1_000 },
            ),
            from: Person,
            reply_to: Type.Optional(Person),
            subject: Text(),
            content: Type.Array(Type.Object({ type: Text('^text/'), value: Text() }, strict)),
            headers: Type.Optional(Type.Record(Type.String(), Type.String())),
          },
          strict,
        ),
      ),
      answer: { status: 202, headers: { 'X-Message-Id': 'XBg2anf2TqCy6WXKQFhieQ' }, body: '' },
    },
    'GET /v3/scopes': { schema: Get, answer: ok({ scopes: ['mail.send'] }) },
  },
  isAuthorized: bearer,
  echo: ({ body: { personalizations } }) => ({
    body: [
      {
        ...{ email: personalizations[0].to[0].email, timestamp: nowSeconds, event: 'delivered' },
        sg_event_id: uuid,
        sg_message_id: 'XBg2anf2TqCy6WXKQFhieQ.filter0905p1mdw1-4434-59E0C6FF-3.0',
        ...personalizations[0].custom_args,
      },
    ],
  }),
};

/**
 * https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/messages, and the form
 * of a callback at https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks.
 */
const emailC: Contract = {
  kind: 'email_c',
  account: 'mg.bank.example',
  operations: {
    'POST /v3/mg.bank.example/messages.mime': {
      schema: request(
        'multipart/form-data; boundary=',
        Type.Object(
          {
            to: Email(),
            message: Text('\\r\\n\\r\\n'),
            'v:do_message_id': Type.Optional(Text()),
            'v:do_contact_id': Type.Optional(Text()),
            'v:do_journey_id': Type.Optional(Text()),
          },
          strict,
        ),
      ),
      answer: ok({ id: '<20260301.1@mg.bank.example>', message: 'Queued. Thank you.' }),
    },
    'GET /v4/domains/mg.bank.example': { schema: Get, answer: ok({ domain: {} }) },
  },
  isAuthorized: ({ headers }, secret) => headers['authorization'] === basic('api', secret),
  echo: ({ body: { to, message, ...variables } }) => ({
    body: {
      signature: { timestamp: String(nowSeconds), token: 't', signature: 's' },
      'event-data': {
        ...{ id: uuid, event: 'delivered', timestamp: nowSeconds, recipient: to },
        message: { headers: { 'message-id': '20260301.1@mg.bank.example' }, size: message.length },
        'user-variables': Object.fromEntries(
          Object.entries(variables).map(([name, id]) => [name.slice('v:'.length), id]),
        ),
      },
    },
  }),
};

/** https://www.twilio.com/docs/messaging/api/message-resource */
const smsA: Contract = {
  kind: 'sms_a',
  account: 'AC00000000000000000000000000000001',
  operations: {
    'POST /2010-04-01/Accounts/AC00000000000000000000000000000001/Messages.json': {
      schema: request(
        'application/x-www-form-urlencoded',
        Type.Object(
          { To: Text('^\\+\\d+$'), From: Text(), Body: Text(), StatusCallback: Text('^https://') },
          strict,
        ),
      ),
      answer: ok({ sid, status: 'queued' }, 201),
    },
    'GET /2010-04-01/Accounts/AC00000000000000000000000000000001.json': {
      schema: Get,
      answer: ok({ status: 'active' }),
    },
  },
  isAuthorized: ({ headers }, secret) => headers['authorization'] === basic(smsA.account, secret),
  echo: ({ body }) => ({
    body: { MessageSid: sid, MessageStatus: 'delivered', To: body.To, From: body.From },
    query: new URL(body.StatusCallback).search,
  }),
};

/**
 * https://developers.telnyx.com/api/messaging/send-message. Callbacks show `tags`; the list of request
 * fields does not name them, so a callback without them has to find its delivery too.
 */
const smsB: Contract = {
  kind: 'sms_b',
  account: '4001017a-ec6c-4a3d-9a5d-5f0e0b1f2a3b',
  operations: {
    'POST /v2/messages': {
      schema: request(
        'application/json',
        Type.Object(
          {
            ...{ to: Text('^\\+\\d+$'), from: Text(), text: Text() },
            tags: Type.Array(Text()),
            messaging_profile_id: Type.Optional(Text()),
            webhook_url: Type.Optional(Text('^https://')),
          },
          strict,
        ),
      ),
      answer: ok({ data: { id: uuid, record_type: 'message' } }),
    },
    'GET /v2/balance': { schema: Get, answer: ok({ data: { currency: 'USD' } }) },
  },
  isAuthorized: bearer,
  echo: ({ body: { to, from, tags } }) => ({
    body: {
      data: {
        record_type: 'event',
        id: uuid,
        event_type: 'message.finalized',
        occurred_at: '2026-03-01T11:59:30.000Z',
        payload: {
          ...{ id: uuid, direction: 'outbound', tags, from: { phone_number: from } },
          to: [{ phone_number: to, status: 'delivered' }],
        },
      },
    },
  }),
};

/** https://firebase.google.com/docs/reference/fcm/rest/v1/projects.messages */
export const pushA = {
  kind: 'push_a',
  account: 'bank',
  operations: {
    'POST /v1/projects/bank/messages:send': {
      schema: request(
        'application/json',
        Type.Object(
          {
            message: Type.Object(
              {
                token: Text(),
                notification: Type.Object(
                  { title: Type.Optional(Text()), body: Text(), image: Type.Optional(Text()) },
                  strict,
                ),
                data: Type.Record(Type.String(), Type.String()),
              },
              strict,
            ),
          },
          strict,
        ),
      ),
      answer: ok({ name: 'projects/bank/messages/0:1' }),
    },
  },
  isAuthorized: bearer,
} satisfies Omit<Contract, 'echo'>;

/** https://documentation.onesignal.com/reference/create-message */
const pushB: Contract = {
  kind: 'push_b',
  account: uuid,
  operations: {
    'POST /notifications': {
      schema: request(
        'application/json',
        Type.Object(
          {
            ...{ app_id: Text(), idempotency_key: Text() },
            include_subscription_ids: Type.Array(Text(), { minItems: 1 }),
            contents: Type.Object({ en: Text() }, strict),
            headings: Type.Optional(Type.Object({ en: Text() }, strict)),
            big_picture: Type.Optional(Text()),
            url: Type.Optional(Text()),
            data: Ids,
          },
          strict,
        ),
      ),
      answer: ok({ id: 'e664a747-324c-406a-bafb-ab51db71c960' }),
    },
    [`GET /notifications?app_id=${uuid}&limit=1`]: { schema: Get, answer: ok({ total_count: 0 }) },
  },
  isAuthorized: ({ headers }, secret) => headers['authorization'] === `Key ${secret}`,
  echo: ({ body: { data } }) => ({
    body: {
      event: { kind: 'message.push.sent', id: uuid, timestamp: nowSeconds },
      message: { id: 'e664a747-324c-406a-bafb-ab51db71c960', data },
    },
  }),
};

/** All but push_a, which is sent tokens in place of the secret. */
export const contracts: readonly Contract[] = [emailA, emailB, emailC, smsA, smsB, pushB];
