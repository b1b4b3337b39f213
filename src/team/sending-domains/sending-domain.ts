import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { ListField } from '../../platform/lists/declaration.ts';
import { Domain } from '../../platform/schema/email.ts';
import { OneOf, Timestamp, createBody, resource } from '../../platform/schema/fields.ts';

/** Domains of a team. */
export const maxSendingDomains = 20;

const Status = OneOf(
  ['pending', 'verified', 'failed'],
  '`verified`: messages may be sent from it. `failed`: its ownership record has disappeared, and ' +
    'e-mails from it are skipped until the record is back',
);

const DnsRecord = Type.Object(
  {
    purpose: OneOf(
      ['ownership', 'dkim', 'spf', 'dmarc'],
      '`ownership` verifies the domain. With `dkim`, e-mails by SMTP are signed. `spf` and ' +
        '`dmarc` are advice',
    ),
    record_type: OneOf(['TXT']),
    name: Type.String({ description: 'Full name of the record, without the final dot' }),
    value: Type.String({ description: 'Text of the record' }),
    status: OneOf(
      ['unchecked', 'found', 'different', 'missing', 'unknown'],
      'Result of the last check. `different`: records of that name exist, but none fits. ' +
        '`unknown`: the name servers did not answer',
    ),
  },
  { title: 'sending_domain_record' },
);
export type DnsRecord = Static<typeof DnsRecord>;

/** A domain from which a team sends e-mail in its own name. */
export const SendingDomain = resource('sending_domain', {
  domain: Domain({
    examples: ['mail.bank.example'],
    maxLength: 200,
    description: 'Returned in ASCII (punycode) and in lower case. Its subdomains may send as well',
  }),
  status: Status,
  dns_records: Type.Array(DnsRecord, { description: 'The records to publish in its zone' }),
  is_signed: Type.Boolean({
    description: 'Whether e-mails by SMTP get a DKIM signature: once the `dkim` record is found',
  }),
  verified_at: Type.Optional(Timestamp('The first or the latest verification after a failure')),
  failed_at: Type.Optional(Timestamp('For status failed: when the record was missed')),
  last_checked_at: Type.Optional(Timestamp()),
  next_check_at: Timestamp('When the records are looked up next'),
});

export const SendingDomainCreate = createBody(SendingDomain, ['domain']);

export const sendingDomainListFields = {
  domain: { type: 'text', isAddress: true, filter: true },
  status: { type: 'enum', values: Status.enum, filter: true },
  inserted_at: { type: 'timestamp', filter: true, sort: true },
  updated_at: { type: 'timestamp', filter: true, sort: true },
} as const satisfies Record<string, ListField>;
