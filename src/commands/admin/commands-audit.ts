import type { Action, Exemption } from '../../platform/http/audited.ts';

/** The audit events of each admin command, or why it has none. */
export const commandAudits = {
  find: { none: 'question' },
  'journeys watch': ['journey.watched'],
  'journeys unwatch': ['journey.unwatched'],
  'teams create': ['team.created'],
  'teams list': { none: 'question' },
  'teams set-tier': ['team.updated'],
  'teams suspend': ['team.suspended'],
  'teams resume': ['team.resumed'],
  portal: ['portal_session.created'],
  'teams set-provider-release': ['team.updated'],
  'providers list': { none: 'question' },
  'providers release': ['sending_provider.released'],
  'users list': { none: 'question' },
  'users suspend': ['user.suspended'],
  'users resume': ['user.reactivated'],
  'tiers list': { none: 'question' },
  'clients create': ['client.created'],
  'clients list': { none: 'question' },
  'clients suspend': ['client.suspended'],
  'clients resume': ['client.resumed'],
  'clients revoke-tokens': ['client.tokens_revoked'],
  'clients set-scopes': ['client.scopes_set'],
  'clients set-networks': ['client.networks_set'],
  'clients rotate-secret': ['client.secret_rotated'],
  'scopes list': { none: 'question' },
  'keys init': { none: 'unused_file' },
  'keys list': { none: 'question' },
  'keys rotate-signing': ['signing_key.created'],
  'keys revoke-signing': ['signing_key.revoked', 'signing_key.created'],
  'keys complete': ['key_list.created'],
  'keys rotate': ['key_list.rotated'],
  'keys rewrap': ['key_list.rewrapped'],
  'audit list': { none: 'question' },
  'audit heads': { none: 'question' },
  'audit verify': { none: 'question' },
  'requests list': { none: 'question' },
  'workflows views': { none: 'question' },
  'workflows reconcile': { none: 'reminder' },
} as const satisfies Record<string, readonly Action[] | { none: Exemption }>;

/** An action that some command declares. */
export type CommandAction = Extract<
  (typeof commandAudits)[keyof typeof commandAudits],
  readonly Action[]
>[number];
