import type { PageLink } from '../../platform/content/local-page.ts';
import type { Services } from '../../platform/http/services.ts';

/** Pages that read the API with the token of the caller, in the order of the header. */
const ofTeam = [
  'requests',
  'webhooks',
  'batches',
  'callbacks',
  'campaigns',
  'people',
  'insights',
] as const;

/**
 * The header of the service's own pages: those that this installation shows. Pages of a team are
 * below `base`.
 */
export function pageLinks({ config, local }: Services, base = ''): PageLink[] {
  const temporalUiUrl = local?.temporalUiUrl();
  const pages = ofTeam.map((name) => ({
    name: name.replace(/^./, (first) => first.toUpperCase()),
    href: `${base}/${name}`,
  }));
  // A portal session leads nowhere else: it may be in a frame of another site.
  if (base !== '') return pages;
  return [
    { name: 'Documentation', href: '/docs' },
    ...pages,
    ...(config.sending.showsMailbox ? [{ name: 'Mailbox', href: '/mailbox' }] : []),
    ...(temporalUiUrl !== undefined ? [{ name: 'Temporal', href: temporalUiUrl }] : []),
  ];
}
