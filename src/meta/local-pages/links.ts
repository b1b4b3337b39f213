import type { PageLink } from '../../platform/content/local-page.ts';
import type { Services } from '../../platform/http/services.ts';

/** Pages that read the API with the token of the caller, in the order of the header. */
const ofTeam = ['requests', 'insights'] as const;

/**
 * The header of the service's own pages: those that this installation shows. Pages of a team are
 * below `base`.
 */
export function pageLinks({ config, local }: Services, base = ''): PageLink[] {
  const temporalUiUrl = local?.temporalUiUrl();
  return [
    { name: 'Documentation', href: '/docs' },
    ...ofTeam.map((name) => ({
      name: name.replace(/^./, (first) => first.toUpperCase()),
      href: `${base}/${name}`,
    })),
    ...(config.sending.showsMailbox ? [{ name: 'Mailbox', href: '/mailbox' }] : []),
    ...(temporalUiUrl !== undefined ? [{ name: 'Temporal', href: temporalUiUrl }] : []),
  ];
}
