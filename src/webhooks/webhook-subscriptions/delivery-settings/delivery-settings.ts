import { Type } from 'typebox';
import { OneOf, Timestamp, patchBody, resource } from '../../../platform/schema/fields.ts';

const Timeout = Type.Integer({
  minimum: 1,
  maximum: 30,
  description:
    'Time limit of an attempt, connection and whole answer included; the service has a default',
});

/** A resource of its own, since the subscription has the documented fields only. */
export const DeliverySettings = resource('webhook_delivery_settings', {
  rate_limit_per_second: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000, description: 'Attempts, evenly spread' }),
  ),
  max_concurrency: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 128,
      description: 'Attempts at the same time; 48 where it is not set',
    }),
  ),
  ordering: OneOf(
    ['none', 'fifo'],
    'fifo: one at a time, in the order in which events were recorded; what fails holds up the rest',
  ),
  timeout_seconds: Timeout,
  header_names: Type.Array(Type.String(), {
    description: 'Names of the further headers in lower case; their values are never shown',
  }),
  headers_changed_at: Type.Optional(Timestamp('When the further headers were last changed')),
  asymmetric_signing: Type.Boolean({
    description: 'Every call carries a second signature, v1a, that the public key verifies',
  }),
  public_key: Type.Optional(
    Type.String({ description: 'whpk_… (Ed25519); another one each time signing is switched on' }),
  ),
});

const Headers = Type.Record(
  Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$' }),
  Type.String({
    pattern: '^[!-~]([ -~]*[!-~])?$',
    minLength: 1,
    maxLength: 4_096,
    examples: ['Bearer b3f1'],
  }),
  {
    maxProperties: 20,
    additionalProperties: false,
    writeOnly: true,
    examples: [{ authorization: 'Bearer b3f1' }],
    description:
      'Further headers of every call. They replace all stored headers; null removes them. They are removed as well when the scheme, host or port of `target_url` changes',
  },
);

export const DeliverySettingsPatch = patchBody(
  Type.Object({
    ...DeliverySettings.properties,
    timeout_seconds: Type.Optional(Timeout),
    headers: Type.Optional(Headers),
  }),
  [
    'rate_limit_per_second',
    'max_concurrency',
    'ordering',
    'timeout_seconds',
    'headers',
    'asymmetric_signing',
  ],
);
