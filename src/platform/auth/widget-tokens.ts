import { randomUUID } from 'node:crypto';
import { errors } from 'jose';
import type { JWTPayload } from 'jose';
import { isUuid } from '../schema/fields.ts';
import {
  issuedAtMsOf,
  maxTokenBytes,
  signToken,
  tokenInvalid,
  tokenLifetimeSeconds,
  tokenRefusal,
  verifyToken,
} from './jwt.ts';
import type { SigningKeys } from './signing-keys.ts';

/** Lets secret scanners and readers recognize a token. */
const prefix = 'dow_';

/** Claims of a widget token. */
export interface WidgetGrant {
  teamId: string;
  /** The client that requested it. */
  clientId: string;
  widgetInstanceId: string;
  contactId: string | null;
  journeyId: string | null;
  /** The only page that may use it; null for any that the widget admits. */
  origin: string | null;
  locale: string | null;
  isAuthenticated: boolean;
  scopes: readonly string[];
}

export interface WidgetClaims extends WidgetGrant {
  tokenId: string;
  /** Milliseconds since 1970. */
  issuedAtMs: number;
  expiresAt: Date;
}

export interface WidgetTokens {
  issue(grant: WidgetGrant): Promise<{ token: string; expiresAt: Date }>;
  /** Returns the claims, without a check for revocation. Throws token_invalid and token_expired. */
  read(token: string): Promise<WidgetClaims>;
  /** The same, for an expired token too; undefined for an invalid one. */
  inspect(token: string): Promise<WidgetClaims | undefined>;
}

export const isWidgetToken = (token: string) => token.startsWith(prefix);

/** Tokens of widgets: partner tokens in all but form, so that neither passes for the other. */
export function createWidgetTokens(keys: SigningKeys, issuer: string): WidgetTokens {
  const form = { typ: 'widget+jwt', issuer, audience: `${issuer}/v2/widget` };
  const required = ['client_id', 'team_id', 'scope', 'widget_instance_id'];

  async function claimsOf(token: string, clock?: Date): Promise<WidgetClaims> {
    if (token.length > maxTokenBytes || !isWidgetToken(token)) throw tokenInvalid();
    const jwt = token.slice(prefix.length);
    return toClaims(await verifyToken(keys, form, jwt, required, clock));
  }

  return {
    async issue(grant) {
      const nowMs = Date.now();
      const jwt = await signToken(keys, form, {
        client_id: grant.clientId,
        team_id: grant.teamId,
        token_kind: 'widget_instance',
        widget_instance_id: grant.widgetInstanceId,
        contact_id: grant.contactId ?? undefined,
        journey_id: grant.journeyId ?? undefined,
        origin: grant.origin ?? undefined,
        locale: grant.locale ?? undefined,
        assurance: grant.isAuthenticated ? 'authenticated' : 'none',
        scope: grant.scopes.join(' '),
        subject: grant.contactId ?? grant.widgetInstanceId,
        tokenId: randomUUID(),
        nowMs,
      });
      const expiresAt = new Date((Math.floor(nowMs / 1_000) + tokenLifetimeSeconds) * 1_000);
      return { token: prefix + jwt, expiresAt };
    },
    async read(token) {
      try {
        return await claimsOf(token);
      } catch (error) {
        throw error instanceof errors.JOSEError ? tokenRefusal(error) : error;
      }
    },
    async inspect(token) {
      if (token.length > maxTokenBytes || !isWidgetToken(token)) return undefined;
      try {
        return await claimsOf(token, new Date(0));
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined;
        throw error;
      }
    },
  };
}

function toClaims(payload: JWTPayload): WidgetClaims {
  const { client_id, team_id, widget_instance_id, scope, jti, iat, exp } = payload;
  if (
    !isId(client_id) ||
    !isId(team_id) ||
    !isId(widget_instance_id) ||
    !isId(jti) ||
    typeof scope !== 'string' ||
    iat === undefined ||
    exp === undefined ||
    exp - iat > tokenLifetimeSeconds
  ) {
    throw new errors.JWTInvalid('unexpected claims');
  }
  return {
    teamId: team_id,
    clientId: client_id,
    widgetInstanceId: widget_instance_id,
    contactId: textOf(payload['contact_id']),
    journeyId: textOf(payload['journey_id']),
    origin: textOf(payload['origin']),
    locale: textOf(payload['locale']),
    isAuthenticated: payload['assurance'] === 'authenticated',
    scopes: scope.split(' ').filter(Boolean),
    tokenId: jti,
    issuedAtMs: issuedAtMsOf(payload),
    expiresAt: new Date(exp * 1_000),
  };
}

const isId = (value: unknown): value is string => typeof value === 'string' && isUuid(value);
const textOf = (value: unknown) => (typeof value === 'string' ? value : null);
