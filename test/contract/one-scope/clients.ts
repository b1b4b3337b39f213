import { endpoints } from '../../../src/app/endpoints.ts';
import { knownScopes } from '../../../src/team/oauth2/endpoints.ts';
import type { TestApi, TestTeam } from '../../support/api.ts';
import { grants } from '../scoped.ts';
import { canariesIn, familyOf, planting } from './canaries.ts';

export const scopes = knownScopes(endpoints);

/** Resources that the reads of a scope also show. */
const alsoShown: Readonly<Record<string, readonly string[]>> = {
  // Figures are shown with the names of their resources.
  'partner:insights:read': ['partner.templates', 'partner.objectives', 'partner.messages'].concat(
    'partner.topics',
  ),
  // The uses of a block are shown with their names.
  'partner:content_blocks:read': ['partner.landing_pages', 'partner.pages', 'partner.messages'],
};

/** Families that a scope shows. */
export const familiesOf = (scope: string): string[] => [
  familyOf(scope),
  ...(alsoShown[scope] ?? []),
];

/** Families whose resources hold no free text that a client writes. */
const withoutTexts = new Set(
  ['batch:operations', 'ipaas:operations', 'meta:capabilities', 'meta:requests', 'partner:audit']
    .concat(
      'partner:engagement',
      'partner:events',
      'partner:exports',
      'partner:insights',
      'partner:journeys',
      'partner:message_sends',
    )
    .concat(
      'partner:archived_messages',
      'partner:team',
      'partner:sending_domains',
      'widget:events',
      'widget:journey',
    )
    .map(familyOf),
);

export interface OneScope {
  /** A client that may do everything, and plants canaries in what it makes. */
  team: TestTeam;
  /** A client of the same team with these scopes only. */
  clientWith(...names: string[]): Promise<TestTeam>;
  /** A client with every scope but those that open what a scope opens. */
  clientWithout(scope: string): Promise<TestTeam>;
  /** A client with every scope that does not show a family. */
  clientBlindFor(family: string): Promise<TestTeam>;
  /** The families in a content that holders of these scopes may not read. */
  hiddenIn(content: unknown, ...names: string[]): string[];
  /** Families of which nothing could be found, since nothing was planted. */
  familiesWithoutCanaries(): string[];
}

export async function openScopes(api: TestApi): Promise<OneScope> {
  const planted = new Map<string, number>();
  const all = await api.newTeam();
  const clients = new Map<string, Promise<TestTeam>>();
  function clientWith(...names: string[]): Promise<TestTeam> {
    const key = names.join(' ');
    const client = clients.get(key) ?? all.withScopes(...new Set(names));
    clients.set(key, client);
    return client;
  }
  return {
    team: planting(all, planted),
    clientWith,
    clientWithout: (scope) => clientWith(...scopes.filter((other) => !grants(other, scope))),
    clientBlindFor: (family) =>
      clientWith(...scopes.filter((scope) => !familiesOf(scope).includes(family))),
    hiddenIn(content, ...names) {
      const shown = names.flatMap(familiesOf);
      return canariesIn(content).filter((family) => !shown.includes(family));
    },
    familiesWithoutCanaries: () =>
      [...new Set(scopes.map(familyOf))].filter(
        (family) => !planted.has(family) && !withoutTexts.has(family),
      ),
  };
}

/** The client of a team with a token for one scope. */
export async function narrowed(api: TestApi, team: TestTeam, scope: string): Promise<TestTeam> {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: team.clientId,
    client_secret: team.clientSecret,
    scope,
  });
  const { body } = await api.call('POST', '/oauth2/token', {
    raw: form.toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  });
  const headers = { Authorization: `Bearer ${String(body.access_token)}` };
  return {
    ...team,
    call: (method, path, options = {}) =>
      api.call(method, path, { ...options, headers: { ...headers, ...options.headers } }),
  };
}
