import { mailboxMessagePage, mailboxPage } from '../../messaging/dev-mailbox/page.ts';
import { findMailboxMessage, listMailbox } from '../../messaging/dev-mailbox/queries.ts';
import { cutText } from '../../platform/cut-text.ts';
import type { Services } from '../../platform/http/services.ts';
import { isUuid } from '../../platform/schema/fields.ts';
import { pageLinks } from './links.ts';

const pageSize = 200;

/** The list, or one message of it; undefined where there is no such message. */
export async function readMailbox(
  services: Services,
  id: string,
  search: URLSearchParams,
  team: unknown,
): Promise<string | undefined> {
  const teamId = typeof team === 'string' && isUuid(team) ? team : null;
  const to = cutText((search.get('to') ?? '').replaceAll('\0', '').trim(), 254);
  return services.database.read(async (sql) => {
    const links = pageLinks(services);
    if (id === '') {
      const messages = await listMailbox(sql, teamId, pageSize, to);
      const view = { team: teamId, to, isLive: search.get('live') === 'on' };
      return mailboxPage(links, messages, view, Date.now());
    }
    const message = isUuid(id) ? await findMailboxMessage(sql, id) : undefined;
    return message && mailboxMessagePage(links, message, search.get('view') ?? '');
  });
}
