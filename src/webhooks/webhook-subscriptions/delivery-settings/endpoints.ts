import { isDeepStrictEqual } from 'node:util';
import type { Static } from 'typebox';
import type { Keyring } from '../../../platform/auth/keyring.ts';
import type { WebhookConfig } from '../../../platform/config.ts';
import { endpoint } from '../../../platform/http/endpoint.ts';
import { failAll } from '../../../platform/http/errors.ts';
import type { Problem } from '../../../platform/http/errors.ts';
import { newSigningPair } from '../secrets.ts';
import { DeliverySettings, DeliverySettingsPatch } from './delivery-settings.ts';
import {
  lockSettings,
  openHeaders,
  requireSettings,
  sealHeaders,
  sealPrivateKey,
  writeSettings,
} from './queries.ts';
import type { Headers, SettingsChanges, SettingsRow } from './queries.ts';
import { areTooLong, headerFaults, maxHeaderCharacters } from './rules.ts';

const tag = 'Webhooks';
const path = '/v2/partner/webhook-subscriptions/{id}/delivery-settings';

export const getDeliverySettings = endpoint({
  id: 'getWebhookDeliverySettings',
  method: 'GET',
  path,
  summary: 'Get the delivery settings of a subscription',
  description:
    'Returns the settings of the deliveries to a subscription: rate, concurrency, order, ' +
    'timeout, headers and signature. Values of headers are never returned.',
  tag,
  scope: 'partner:webhooks:read',
  rateClass: 'read',
  response: DeliverySettings,
  async handle({ sql, teamId, params, services: { config } }) {
    return shown(await requireSettings(sql, teamId, params.id), config.webhooks);
  },
});

export const updateDeliverySettings = endpoint({
  id: 'updateWebhookDeliverySettings',
  method: 'PATCH',
  path,
  summary: 'Update the delivery settings of a subscription',
  description:
    'Changes the settings that the body names, for the attempts from now on. headers replaces ' +
    'all custom headers. Turning asymmetric_signing on creates a key pair whose public key is ' +
    'returned. The change is recorded in the audit trail.',
  tag,
  scope: 'partner:webhooks:write',
  rateClass: 'write',
  body: DeliverySettingsPatch,
  response: DeliverySettings,
  audit: 'webhook_subscription.delivery_settings_updated',
  async handle({ sql, teamId, params: { id }, body, checkPrecondition, services }) {
    const { config, keyring } = services;
    const row = await lockSettings(sql, teamId, id);
    const before = shown(row, config.webhooks);
    checkPrecondition(before);
    const changes = {
      ...plainChanges(before, body),
      ...(body.headers !== undefined && headerChanges(keyring, row, body.headers ?? {})),
      ...(body.asymmetric_signing !== undefined &&
        body.asymmetric_signing !== row.asymmetric_signing &&
        signingChanges(keyring, row, body.asymmetric_signing)),
    };
    if (Object.keys(changes).length === 0) return before;
    await writeSettings(sql, teamId, id, changes);
    return shown(await requireSettings(sql, teamId, id), config.webhooks);
  },
});

/** The settings as responses show them, defaults included. */
function shown(row: SettingsRow, { attemptTimeoutMs }: WebhookConfig) {
  return { ...row, timeout_seconds: row.timeout_seconds ?? attemptTimeoutMs / 1_000 };
}

const plain = ['rate_limit_per_second', 'max_concurrency', 'ordering', 'timeout_seconds'] as const;

function plainChanges(
  before: Pick<SettingsRow, (typeof plain)[number]>,
  body: Pick<Static<typeof DeliverySettingsPatch>, (typeof plain)[number]>,
): SettingsChanges {
  const changed = plain.filter((name) => body[name] !== undefined && body[name] !== before[name]);
  return Object.fromEntries(changed.map((name) => [name, body[name]]));
}

/** Throws 422 where a header cannot be sent along. */
function headerChanges(keyring: Keyring, row: SettingsRow, sent: Headers): SettingsChanges {
  checkHeaders(sent);
  const headers = Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [name.toLowerCase(), value]),
  );
  if (isDeepStrictEqual(openHeaders(keyring, row), headers)) return {};
  const names = Object.keys(headers).sort();
  return {
    header_names: names,
    sealed_headers: names.length === 0 ? null : sealHeaders(keyring, row, headers),
    headers_changed_at: new Date().toISOString(),
  };
}

function checkHeaders(sent: Headers): void {
  const problems: Problem[] = headerFaults(Object.keys(sent)).map(({ name, rule }) => ({
    code: 'validation_failed',
    detail:
      rule === 'unique'
        ? `${name} is given twice, in other letter case.`
        : `${name} is set by the service itself; leave it out.`,
    meta: { pointer: `/headers/${name}`, rule },
  }));
  if (areTooLong(sent)) {
    problems.push({
      code: 'validation_failed',
      detail: `The headers have more than ${String(maxHeaderCharacters)} characters together.`,
      meta: { pointer: '/headers', rule: 'max_length', limit: maxHeaderCharacters },
    });
  }
  if (problems.length > 0) throw failAll(problems);
}

function signingChanges(keyring: Keyring, row: SettingsRow, isOn: boolean): SettingsChanges {
  if (!isOn) return { public_key: null, sealed_private_key: null };
  const pair = newSigningPair();
  return { public_key: pair.publicKey, sealed_private_key: sealPrivateKey(keyring, row, pair) };
}

export const webhookDeliverySettingsEndpoints = [getDeliverySettings, updateDeliverySettings];
