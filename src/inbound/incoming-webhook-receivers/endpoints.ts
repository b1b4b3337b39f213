import { countRows } from '../../platform/database/count-rows.ts';
import { Type } from 'typebox';
import { changedFields, recordEvent } from '../../platform/events/record.ts';
import { incomingWebhookReceiverDisabled } from '../events.ts';
import { Text } from '../../platform/schema/fields.ts';
import { endpoint } from '../../platform/http/endpoint.ts';
import { immutable } from '../../platform/http/errors.ts';
import { InboundDelivery } from '../deliveries/inbound-delivery.ts';
import { requireInboundDelivery } from '../deliveries/queries.ts';
import { intakeOf } from '../intake/intake.ts';
import { nextReceiverEvent } from '../intake/queries.ts';
import { takeSample } from '../intake/sample.ts';
import { receivers } from '../receivers.ts';
import { listEndpoint } from '../../platform/lists/list-endpoint.ts';
import { checkQuota } from '../../platform/resources/quota.ts';
import {
  CreatedIncomingWebhookReceiver,
  IncomingWebhookReceiver,
  IncomingWebhookReceiverCreate,
  IncomingWebhookReceiverPatch,
  receiverListFields,
} from './incoming-webhook-receiver.ts';
import {
  deleteReceiverRow,
  insertReceiver,
  lockReceiver,
  receiverSource,
  requireReceiver,
  updateReceiverRow,
} from './queries.ts';
import { maxReceivers, overlapSeconds } from './rules.ts';
import { newSecrets, readSettings, verificationOf } from './verification/edit.ts';
import { receiverVerificationEndpoints } from './verification/endpoints.ts';
import { writeReceiverSecret } from './verification/queries.ts';

const tag = 'Incoming webhook receivers';
const path = '/v2/partner/incoming-webhook-receivers';
const readScope = 'partner:incoming-webhooks:read';
const scope = 'partner:incoming-webhooks:write';

export const listIncomingWebhookReceivers = listEndpoint({
  id: 'listIncomingWebhookReceivers',
  path,
  summary: 'List incoming webhook receivers',
  description:
    'Returns the incoming webhook receivers of the team. Secrets are never returned. The ' +
    'receive_url is the address to configure at the provider.',
  tag,
  scope: readScope,
  item: IncomingWebhookReceiver,
  fields: receiverListFields,
  defaultSort: '-inserted_at',
  source: ({ teamId, services }) => receiverSource(teamId, services.config.publicBaseUrl),
});

export const createIncomingWebhookReceiver = endpoint({
  id: 'createIncomingWebhookReceiver',
  method: 'POST',
  path,
  summary: 'Create an address for the callbacks of a provider; its secrets are shown once',
  description:
    'Creates an address at which a provider delivers its callbacks. The secrets in this ' +
    'answer are shown only here. Settings that verify the provider go into verification. A ' +
    'team has at most 50 receivers. Enter the url of the answer at the provider, then send a ' +
    'test.',
  errors: ['quota_exceeded'],
  tag,
  scope,
  rateClass: 'write',
  body: IncomingWebhookReceiverCreate,
  status: 201,
  response: CreatedIncomingWebhookReceiver,
  location: `${path}/{id}`,
  showsSecret: true,
  audit: 'incoming_webhook_receiver.created',
  async handle({ sql, teamId, body, services: { config, keyring } }) {
    const definition = receivers[body.receiver_kind];
    const change = readSettings(definition, {}, body.verification ?? {}, '/verification');
    await checkQuota(sql, teamId, {
      name: 'incoming_webhook_receivers',
      limit: maxReceivers,
      count: countRows('incoming_webhook_receivers'),
    });
    const id = await insertReceiver(sql, teamId, {
      receiver_kind: body.receiver_kind,
      name: body.name ?? null,
      is_active: body.is_active ?? true,
      dedup_window_seconds: body.dedup_window_seconds ?? definition.defaultDedupWindowSeconds,
      signature_required: body.signature_required ?? true,
      settings: change.settings,
    });
    const secrets = newSecrets(definition, change.settings);
    const ours = Object.entries(secrets).map(([name, text]) => ({ name, text }));
    for (const secret of [...ours, ...change.secrets]) {
      await writeReceiverSecret(sql, keyring, { teamId, receiverId: id }, secret, overlapSeconds);
    }
    const made = await requireReceiver(sql, teamId, id, config.publicBaseUrl);
    return { ...made, verification: await verificationOf(sql, made), secrets };
  },
});

export const getIncomingWebhookReceiver = endpoint({
  id: 'getIncomingWebhookReceiver',
  method: 'GET',
  path: `${path}/{id}`,
  summary: 'Get an incoming webhook receiver',
  description:
    'Returns one incoming webhook receiver with its address, its counters and the state of ' +
    'its verification. Secrets are never returned.',
  tag,
  scope: readScope,
  rateClass: 'read',
  response: IncomingWebhookReceiver,
  async handle({ sql, teamId, params: { id }, services }) {
    const { publicBaseUrl } = services.config;
    const row = await requireReceiver(sql, teamId, id, publicBaseUrl);
    return { ...row, ...intakeOf(services).stats.overlay(row) };
  },
});

export const updateIncomingWebhookReceiver = endpoint({
  id: 'updateIncomingWebhookReceiver',
  method: 'PATCH',
  path: `${path}/{id}`,
  summary: 'Update an incoming webhook receiver and its verification; its kind cannot be changed',
  description:
    'Changes the fields that the body names, the verification as well. The kind is fixed. A ' +
    'secret that is replaced is accepted for another 24 hours. The change applies to the next ' +
    'callback.',
  errors: ['immutable_field'],
  tag,
  scope,
  rateClass: 'write',
  body: IncomingWebhookReceiverPatch,
  response: IncomingWebhookReceiver,
  audit: 'incoming_webhook_receiver.updated',
  async handle({ sql, teamId, params: { id }, body, checkPrecondition, services }) {
    const { config, keyring } = services;
    const before = await lockReceiver(sql, teamId, id, config.publicBaseUrl);
    checkPrecondition(before);
    if (body.receiver_kind !== undefined && body.receiver_kind !== before.receiver_kind) {
      throw immutable('incoming_webhook_receiver', 'receiver_kind');
    }
    const sent = body.verification ?? {};
    const { settings, secrets } = readSettings(
      receivers[before.receiver_kind],
      before.settings,
      sent,
      '/verification',
    );
    const requested = {
      name: body.name === undefined ? before.name : body.name,
      is_active: body.is_active ?? before.is_active,
      dedup_window_seconds: body.dedup_window_seconds ?? before.dedup_window_seconds,
      signature_required: body.signature_required ?? before.signature_required,
      settings,
    };
    const changed = changedFields(
      { properties: { ...IncomingWebhookReceiver.properties, settings: {} } },
      before,
      { ...before, ...requested },
    );
    if (!changed && secrets.length === 0) return before;
    await updateReceiverRow(sql, before, requested);
    for (const secret of secrets) {
      await writeReceiverSecret(sql, keyring, { teamId, receiverId: id }, secret, overlapSeconds);
    }
    intakeOf(services).forget(id);
    if (before.is_active && !requested.is_active) await recordDisabled();
    return requireReceiver(sql, teamId, id, config.publicBaseUrl);

    async function recordDisabled() {
      const place = { teamId, receiverId: id };
      const data = await nextReceiverEvent(sql, place, config.publicBaseUrl);
      if (!data) return;
      const type = incomingWebhookReceiverDisabled;
      recordEvent(sql, { teamId, type, data, sequence: data.event_sequence });
    }
  },
});

export const deleteIncomingWebhookReceiver = endpoint({
  id: 'deleteIncomingWebhookReceiver',
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'Delete an incoming webhook receiver; later calls get 404',
  description:
    'Deletes an incoming webhook receiver permanently. Callbacks to its address are answered ' +
    'with 404 from then on. Remove the address at the provider as well.',
  tag,
  scope: 'partner:incoming-webhooks:delete',
  rateClass: 'write',
  audit: 'incoming_webhook_receiver.deleted',
  async handle({ sql, teamId, params: { id }, checkPrecondition, services }) {
    checkPrecondition(await lockReceiver(sql, teamId, id, services.config.publicBaseUrl));
    await deleteReceiverRow(sql, teamId, id);
    intakeOf(services).forget(id);
    return undefined;
  },
});

export const testIncomingWebhookReceiver = endpoint({
  id: 'testIncomingWebhookReceiver',
  method: 'POST',
  path: `${path}/{id}/test`,
  summary: 'Send a signed sample callback to the receiver, without side effects',
  description:
    'Sends a signed sample of the provider through the receiver. The delivery is marked as a ' +
    'test and has no effect on contacts or messages. An inactive receiver is refused with ' +
    '410. Read the outcome in the answer.',
  errors: ['receiver_disabled', 'signature_invalid'],
  tag,
  scope,
  rateClass: 'execute',
  audit: 'incoming_webhook_receiver.tested',
  body: Type.Object(
    { event: Type.Optional(Text(128, 'An event that the kind has a sample of')) },
    { additionalProperties: false },
  ),
  bodyOptional: true,
  response: InboundDelivery,
  async handle({ sql, teamId, params: { id }, body, services }) {
    await lockReceiver(sql, teamId, id, services.config.publicBaseUrl);
    const deliveryId = await takeSample(sql, services, id, body.event);
    return requireInboundDelivery(sql, teamId, id, deliveryId);
  },
});

export const incomingWebhookReceiverEndpoints = [
  listIncomingWebhookReceivers,
  createIncomingWebhookReceiver,
  getIncomingWebhookReceiver,
  updateIncomingWebhookReceiver,
  deleteIncomingWebhookReceiver,
  testIncomingWebhookReceiver,
  ...receiverVerificationEndpoints,
];
