import { randomBytes } from 'node:crypto';
import { Type } from 'typebox';
import type { Sql } from '../../../platform/database/sql.ts';
import { HttpError, failAll } from '../../../platform/http/errors.ts';
import type { Problem } from '../../../platform/http/errors.ts';
import { bodyValidator } from '../../../platform/http/validate.ts';
import type { MissingSetting, ReceiverDefinition } from '../../receiver.ts';
import { schemeOf } from '../../receiver.ts';
import { receivers } from '../../receivers.ts';
import { receiverTokenPrefix } from '../../signatures/shared-secret-bearer.ts';
import { newSigningSecret } from '../../../webhooks/webhook-subscriptions/secrets.ts';
import type { ReceiverRow } from '../queries.ts';
import { verificationStatus } from '../rules.ts';
import { findPendingConfirmation, listReceiverSecrets } from './queries.ts';
import { shownOnly } from './verification.ts';

/** The secrets that we make, by name; the second only where calls prove themselves by a token. */
const relaySecret = 'relay_secret';
const receiverToken = 'receiver_token';

/** Fresh texts of the secrets that a receiver of a kind has, set up like this. */
export function newSecrets(
  definition: ReceiverDefinition,
  settings: Readonly<Record<string, unknown>>,
) {
  const usesToken = schemeOf(definition, settings).scheme === 'shared_secret_bearer';
  return {
    [relaySecret]: newSigningSecret(),
    ...(usesToken && {
      [receiverToken]: `${receiverTokenPrefix}${randomBytes(32).toString('base64url')}`,
    }),
  };
}

export interface SettingsChange {
  /** All settings that are not secret, as they are to be. */
  settings: Record<string, unknown>;
  /** New secrets; null clears one. */
  secrets: { name: string; text: string | null }[];
}

const checkers = new Map(
  Object.values(receivers).map((definition) => [
    definition.kind,
    bodyValidator(Type.Object(definition.settings.properties, { additionalProperties: false })),
  ]),
);

/**
 * Reads the changes of a body to the settings of a kind. Throws 422 with pointers below `pointer`.
 */
export function readSettings(
  definition: ReceiverDefinition,
  before: Readonly<Record<string, unknown>>,
  sent: Readonly<Record<string, unknown>>,
  pointer: string,
): SettingsChange {
  const written = Object.entries(sent).filter(([name]) => !isShownOnly(name));
  const problems = [
    ...problemsOf(definition, Object.fromEntries(written.filter(([, value]) => value !== null))),
    ...written.flatMap(([name, value]) =>
      value === null && !(name in definition.settings.properties) ? [unknownField(name)] : [],
    ),
  ];
  if (problems.length > 0) {
    throw failAll(
      problems.map((problem) => ({
        ...problem,
        meta: {
          ...problem.meta,
          pointer: pointer + pointerOf(problem),
        },
      })),
    );
  }
  const isSecret = (name: string) => definition.secretSettings.includes(name);
  const settings = Object.fromEntries(
    Object.entries({ ...before, ...Object.fromEntries(written) }).filter(
      ([name, value]) => value !== null && !isSecret(name),
    ),
  );
  // A receiver of older rules can be changed otherwise.
  const missing = written.length > 0 ? (definition.missingSettings?.(settings) ?? []) : [];
  if (missing.length > 0) throw failAll(missing.map((one) => missingSetting(one, pointer)));
  return {
    settings,
    secrets: written.flatMap(([name, value]) =>
      isSecret(name) ? [{ name, text: typeof value === 'string' ? value : null }] : [],
    ),
  };
}

const isShownOnly = (name: string) => shownOnly.some((shown) => shown === name);

function pointerOf({ meta }: Problem): string {
  const pointer = meta?.['pointer'];
  return typeof pointer === 'string' ? pointer : '';
}

function problemsOf({ kind }: ReceiverDefinition, sent: object): readonly Problem[] {
  try {
    checkers.get(kind)?.(sent);
    return [];
  } catch (error) {
    if (error instanceof HttpError) return error.problems;
    throw error;
  }
}

function missingSetting({ name, detail }: MissingSetting, pointer: string): Problem {
  const meta = { pointer: `${pointer}/${name}`, rule: 'required' };
  return { code: 'validation_failed', detail, meta };
}

function unknownField(name: string): Problem {
  const at = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  return {
    code: 'validation_failed',
    detail: 'A setting does not belong to this kind.',
    meta: { pointer: at, rule: 'unknown_field' },
  };
}

/** The verification of a receiver, as responses show it. */
export async function verificationOf(sql: Sql, receiver: ReceiverRow) {
  const { team_id: teamId, id, receiver_kind, settings, lock_version } = receiver;
  const definition = receivers[receiver_kind];
  const { scheme, requiredSettings } = schemeOf(definition, settings);
  const secrets = await listReceiverSecrets(sql, teamId, id);
  const pending = await findPendingConfirmation(sql, teamId, id);
  const has = new Set([...Object.keys(settings), ...secrets.map(({ name }) => name)]);
  return {
    ...settings,
    type: 'receiver_verification' as const,
    team_id: teamId,
    lock_version,
    scheme,
    status: verificationStatus(requiredSettings, has, pending !== undefined),
    accepted_headers: [...definition.authenticationHeaders],
    secrets: secrets.map(({ expires_at, ...secret }) =>
      expires_at === null ? secret : { ...secret, expires_at },
    ),
    ...(pending && { pending_confirmation: pending }),
  };
}
