import { endpoint } from '../../platform/http/endpoint.ts';
import { listEndpoint } from '../../platform/lists/list-endpoint.ts';
import {
  ArchivedMessage,
  ArchivedMessageDetails,
  archivedMessageFields,
} from './archived-message.ts';
import { openMessage } from './open.ts';
import { archivedMessageSource, requireArchivedMessage } from './queries.ts';

const tag = 'Archive';
const path = '/v2/partner/archived-messages';
const scope = 'partner:archived_messages:read';

export const listArchivedMessages = listEndpoint({
  id: 'listArchivedMessages',
  path,
  summary: 'List archived messages, without content',
  description:
    'Returns messages that providers took while the team archived what was sent. Addresses ' +
    'are masked, and contents are left out; getArchivedMessage shows both.',
  tag,
  scope,
  item: ArchivedMessage,
  fields: archivedMessageFields,
  defaultSort: '-sent_at',
  audit: { counted: 'archived_message.listed' },
  source: ({ teamId }) => archivedMessageSource(teamId),
});

export const getArchivedMessage = endpoint({
  id: 'getArchivedMessage',
  method: 'GET',
  path: `${path}/{id}`,
  summary: 'Get an archived message with its content and address',
  description:
    'Returns a message as the provider got it, with the address. Its id is that of the message ' +
    'delivery. Reads are counted in the audit trail. Content and address are absent where ' +
    'content_status is not stored.',
  tag,
  scope,
  rateClass: 'read',
  audit: { counted: 'archived_message.read' },
  response: ArchivedMessageDetails,
  async handle({ sql, teamId, params, services: { keyring } }) {
    const row = await requireArchivedMessage(sql, teamId, params.id);
    return { ...row, ...openMessage(keyring, row) };
  },
});

export const archivedMessageEndpoints = [listArchivedMessages, getArchivedMessage];
