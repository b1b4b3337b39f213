import { isPhone } from '../../platform/schema/fields.ts';
import { Answer, endpoint } from '../../platform/http/endpoint.ts';
import { failAll } from '../../platform/http/errors.ts';
import type { Problem } from '../../platform/http/errors.ts';
import { standardEndpoints } from '../../platform/resources/standard-endpoints.ts';
import { lockContacts } from '../queries.ts';
import { inStoredForm, isEmail } from '../../platform/schema/email.ts';
import { suppressions } from './queries.ts';
import type { NewSuppression } from './queries.ts';
import { suppress, unsuppress } from './suppress.ts';
import { Suppression, SuppressionCreate, suppressionListFields } from './suppression.ts';

const tag = 'Suppressions';
const path = '/v2/partner/suppressions';
const standard = standardEndpoints(suppressions, { tag, path, scope: 'partner:contacts' });

export const listSuppressions = standard.list({
  summary: 'List suppressed addresses and contacts',
  description: 'Returns the addresses, phone numbers and contacts that receive no messages.',
  audit: { counted: 'suppression.read' },
  fields: suppressionListFields,
  defaultSort: '-inserted_at',
});

export const createSuppression = endpoint({
  id: 'createSuppression',
  method: 'POST',
  path,
  summary: 'Suppress an address or a contact; returns the existing suppression with 200',
  description:
    'Prevents messages to an e-mail address, a phone number, or a contact on all channels. ' +
    'Give address with the channel email or sms, and contact_id with the channel all. A ' +
    'suppression that exists already answers 200 and stays as it is. It applies to every ' +
    'template from the next message on.',
  tag,
  scope: 'partner:contacts:write',
  rateClass: 'write',
  audit: 'suppression.created',
  bodyExample: { channel: 'email', address: 'ada@example.com' },
  body: SuppressionCreate,
  status: 201,
  repeatStatus: 200,
  response: Suppression,
  location: `${path}/{id}`,
  async handle({ sql, teamId, body }) {
    const { channel, address = null, contact_id = null } = body;
    const problems = formProblems({ channel, address, contact_id });
    if (problems.length > 0) throw failAll(problems);
    if (contact_id !== null && (await lockContacts(sql, teamId, [contact_id])).length === 0) {
      throw failAll([
        problem('/contact_id', 'reference_not_found', 'The team has no such contact.'),
      ]);
    }
    const { suppression, isNew } = await suppress(sql, teamId, {
      channel,
      address: address !== null && channel === 'email' ? inStoredForm(address) : address,
      contact_id: contact_id?.toLowerCase() ?? null,
      reason: body.reason ?? 'manual',
      note: body.note ?? null,
      source: 'api',
    });
    return isNew ? suppression : new Answer(suppression, { isRepeat: true });
  },
});

export const getSuppression = standard.get({
  summary: 'Get a suppression',
  description:
    'Returns one suppression with its reason and source. Suppressions are also made by the ' +
    'service, for example after a hard bounce or a complaint.',
  audit: { counted: 'suppression.read' },
});

export const deleteSuppression = standard.delete({
  summary: 'Remove a suppression',
  description:
    'Lifts a suppression, so that messages are sent again. Lift a suppression only where you ' +
    'know that the address accepts messages.',
  handle: ({ sql }, suppression) => unsuppress(sql, suppression),
});

export const suppressionEndpoints = [
  listSuppressions,
  createSuppression,
  getSuppression,
  deleteSuppression,
];

/** An address for e-mail and sms, a contact for all; never both. */
function formProblems({
  channel,
  address,
  contact_id,
}: Pick<NewSuppression, 'channel' | 'address' | 'contact_id'>): Problem[] {
  const [requested, unwanted] =
    channel === 'all' ? (['contact_id', 'address'] as const) : (['address', 'contact_id'] as const);
  const given = { address, contact_id };
  const isAddress = { email: isEmail, sms: isPhone, all: () => true }[channel];
  return [
    ...(given[requested] === null
      ? [problem(`/${requested}`, 'required', `${requested} is required with channel ${channel}.`)]
      : []),
    ...(given[unwanted] === null
      ? []
      : [
          problem(
            `/${unwanted}`,
            'unknown_field',
            `${unwanted} has no place with channel ${channel}.`,
          ),
        ]),
    ...(channel === 'all' || address === null || isAddress(address)
      ? []
      : [
          problem(
            '/address',
            channel === 'sms' ? 'invalid_phone' : 'format',
            `address does not suit channel ${channel}.`,
          ),
        ]),
  ];
}

function problem(pointer: string, rule: string, detail: string): Problem {
  return { code: 'validation_failed', detail, meta: { pointer, rule } };
}
