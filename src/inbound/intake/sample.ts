import type { Sql } from '../../platform/database/sql.ts';
import type { VerificationTools } from '../../platform/egress/verification-tools.ts';
import { fail, failAll } from '../../platform/http/errors.ts';
import type { Services } from '../../platform/http/services.ts';
import type { Callback } from '../receiver.ts';
import { makeCallback } from './callback.ts';
import { intakeOf } from './intake.ts';
import { open } from './known-receivers.ts';
import type { KnownReceiver } from './known-receivers.ts';
import { findReceiver } from './queries.ts';
import { readVerified } from './receive.ts';
import { storeCallbacks } from './store.ts';
import { authenticateCallback } from './authenticate.ts';

/**
 * Sends a receiver a sample through its own intake, in the caller's transaction: marked as a test,
 * and without effect. Where only the provider can sign, the sample goes as a relay would send it.
 * Returns the id of its delivery.
 */
export async function takeSample(
  sql: Sql,
  services: Services,
  receiverId: string,
  event: string | undefined,
): Promise<string> {
  const row = await findReceiver(sql, receiverId);
  if (!row?.is_active) {
    throw fail('receiver_disabled', { detail: 'The receiver is inactive.' });
  }
  const receiver = open(row, services.keyring, services.log);
  const { definition } = receiver;
  const { sampleEvents } = definition;
  const requested = event ?? sampleEvents[0] ?? '';
  if (!sampleEvents.includes(requested)) {
    throw failAll([
      {
        code: 'validation_failed',
        detail: `event must be one of ${sampleEvents.join(', ')}.`,
        meta: { pointer: '/event', rule: 'enum', expected: sampleEvents },
      },
    ]);
  }
  const callback = await sampleOf(services, receiver, requested);
  const verifiers = { tokens: services.tokens, verificationTools: noTools, address: '' };
  const origin = await authenticateCallback(verifiers, receiver, callback);
  const taken = await readVerified(services, receiver, callback, origin, true);
  await storeCallbacks(sql, intakeOf(services).storing, receiver, [taken]);
  return taken.items[0]?.id ?? taken.id;
}

const pathOf = ({ id, definition }: KnownReceiver) =>
  `/v2/webhooks/inbound/${definition.kind}/${id}`;

async function sampleOf(
  { config: { publicBaseUrl } }: Services,
  receiver: KnownReceiver,
  event: string,
): Promise<Callback> {
  const { definition, settings } = receiver;
  const path = pathOf(receiver);
  const nowMs = Date.now();
  const url = publicBaseUrl + path;
  const sample = await definition.sample(event, { url, settings: settings[0] ?? {}, nowMs });
  const headers = { 'content-type': definition.mediaTypes[0] ?? '', ...sample.headers };
  const bytes = Buffer.from(sample.body);
  return makeCallback(publicBaseUrl, path + (sample.query ?? ''), headers, bytes, nowMs);
}

/** A sample needs no network: certificates and keys of the provider are not checked. */
const noTools: VerificationTools = {
  fetchCertificate: () => Promise.reject(new Error('samples fetch nothing')),
  trustedRoots: [],
  fetchKeySet: () => Promise.reject(new Error('samples fetch nothing')),
};
