/** Caller of a request: the claims of a verified token, with the state of its client and team. */
export interface Principal {
  tokenKind: TokenKind;
  teamId: string;
  clientId: string;
  /** Explicit scopes with what they imply, for the check. */
  scopes: ReadonlySet<string>;
  /** Contract tier of the team; decides its rate limits. */
  tier: string;
  /** Networks in CIDR notation from which the token may be used; absent: any. */
  networks?: readonly string[] | undefined;
  /** Days for which the read log of its team is kept; absent: it has none. */
  contactReadsDays?: number | undefined;
  /** On the widget surface: the contact and the place that the token is bound to. */
  recipient?: Recipient;
}

/**
 * Levels of identification of a recipient: none, an answer about recorded data, the partner's own
 * login, or a code that was sent.
 */
export const assurances = ['none', 'recognized', 'authenticated', 'verified'] as const;
export type Assurance = (typeof assurances)[number];

/** Journey, session and widget that a widget token or the session of a recipient is bound to. */
export interface Recipient {
  /** Null where a link, and no widget, opened the session. */
  widgetInstanceId: string | null;
  /** Null for a token of an enrollment widget, before the enrollment. */
  contactId: string | null;
  journeyId: string | null;
  /** The token, or the one that opened the session. */
  tokenId: string | null;
  /** Null for a token before its bootstrap. */
  sessionId: string | null;
  assurance: Assurance;
  locale: string | null;
  /** Pages of these origins may call; the own ones always may. */
  origins: readonly string[];
}

/** Token kinds and the surfaces each reaches. */
export const tokenKinds = {
  partner: ['partner', 'ipaas', 'batch', 'meta'],
  widget_instance: ['widget'],
  recipient_session: ['widget'],
} as const satisfies Record<string, readonly string[]>;

export type TokenKind = keyof typeof tokenKinds;

export function allowsSurface(kind: TokenKind, surface: string): boolean {
  return tokenKinds[kind].some((reached) => reached === surface);
}

/** Which of the scopes that something requires the caller lacks, in their order. */
export function missingScopes(required: { scopes: readonly string[] }, { scopes }: Principal) {
  return required.scopes.filter((scope) => !scopes.has(scope));
}

/** Stands in for a caller where an endpoint is open. */
export const anonymous: Principal = {
  tokenKind: 'partner',
  teamId: '',
  clientId: '',
  scopes: new Set(),
  tier: 'standard',
};
