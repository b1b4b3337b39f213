import { listEndpoint } from '../../platform/lists/list-endpoint.ts';
import { ContactRead, contactReadFields } from './contact-read.ts';
import { contactReadSource } from './queries.ts';

const listContactReads = listEndpoint({
  id: 'listContactReads',
  path: '/v2/partner/contact-reads',
  summary: 'List which client read which contact, newest first',
  description:
    'Returns the read log, which the team switches on with retention.contact_reads_days: the ' +
    'first answer of each hour, by client and endpoint, that named a contact. ' +
    'Exports of lists are in the audit trail. createExport writes the log to a file.',
  tag: 'Audit',
  scope: 'partner:audit:read',
  item: ContactRead,
  fields: contactReadFields,
  defaultSort: '-read_at',
  source: ({ teamId }) => contactReadSource(teamId),
});

export const contactReadEndpoints = [listContactReads];
