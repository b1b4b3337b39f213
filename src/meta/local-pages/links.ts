import type { PageLink } from '../../platform/content/local-page.ts';
import type { Services } from '../../platform/http/services.ts';

/** The header of the service's own pages: those that this installation shows. */
export function pageLinks({ config, local }: Services): PageLink[] {
  const temporalUiUrl = local?.temporalUiUrl();
  return [
    { name: 'Documentation', href: '/docs' },
    { name: 'Insights', href: '/insights' },
    { name: 'Requests', href: '/requests' },
    ...(config.sending.showsMailbox ? [{ name: 'Mailbox', href: '/mailbox' }] : []),
    ...(temporalUiUrl !== undefined ? [{ name: 'Temporal', href: temporalUiUrl }] : []),
  ];
}
