import type { SealedColumn } from '../platform/auth/rewrap.ts';
import { signingKeySealContext } from '../platform/auth/signing-keys.ts';
import { answerSealContext } from '../platform/http/idempotency.ts';
import { rawSealContext } from '../inbound/intake/callback.ts';
import { sealContextOf as earlierIdentitySealContext } from '../contacts/earlier-identities/earlier-identities.ts';
import { fileSourceSealContext } from '../operations/file-sources/queries.ts';
import { receiverSecretSealContext } from '../inbound/incoming-webhook-receivers/verification/queries.ts';
import { addressesSealContext, contentSealContext } from '../messaging/archived-messages/seal.ts';
import { codeSealContext } from '../messaging/notices/code.ts';
import { journeyDataSealContext } from '../messaging/message-data/journey-data.ts';
import { sendDataSealContext } from '../messaging/send-queue/send-data.ts';
import { providerSecretSealContext } from '../messaging/sending-providers/queries.ts';
import { testRecipientSealContext } from '../messaging/test-recipients/address.ts';
import { testAddressSealContext } from '../messaging/test-sends/send-tests.ts';
import { dkimKeySealContext } from '../team/sending-domains/queries.ts';
import { sftpHostKeySealContext } from '../operations/sftp-credentials/queries.ts';
import { settingsSealContext } from '../webhooks/webhook-subscriptions/delivery-settings/queries.ts';
import { secretSealContext } from '../webhooks/webhook-subscriptions/secrets.ts';

/** Every column with sealed values; a test compares it with the schema. */
export const sealedColumns: readonly SealedColumn[] = [
  {
    table: 'signing_keys',
    column: 'sealed_private_jwk',
    key: ['id'],
    sealContextOf: (row) => signingKeySealContext(text(row['id'])),
  },
  {
    table: 'idempotency_keys',
    column: 'body',
    key: ['team_id', 'client_id', 'key_hash'],
    onlyWhere: 'is_sealed',
    sealContextOf: (row) =>
      answerSealContext({
        teamId: text(row['team_id']),
        clientId: text(row['client_id']),
        keyHash: Buffer.from(row['key_hash'] ?? ''),
      }),
  },
  {
    table: 'webhook_secrets',
    column: 'sealed_secret',
    key: ['team_id', 'id'],
    also: ['subscription_id'],
    sealContextOf: (row) => secretSealContext(text(row['team_id']), text(row['subscription_id'])),
  },
  {
    table: 'earlier_identities',
    column: 'sealed_value',
    key: ['team_id', 'contact_id', 'kind', 'digest'],
    sealContextOf: (row) =>
      earlierIdentitySealContext(text(row['team_id']), {
        contact_id: text(row['contact_id']),
        kind: text(row['kind']),
      }),
  },
  deliverySetting('sealed_headers'),
  deliverySetting('sealed_private_key'),
  {
    table: 'incoming_webhook_receiver_secrets',
    column: 'sealed_secret',
    key: ['team_id', 'id'],
    also: ['receiver_id'],
    sealContextOf: (row) =>
      receiverSecretSealContext(text(row['team_id']), text(row['receiver_id'])),
  },
  {
    table: 'inbound_raw',
    column: 'sealed_callback',
    key: ['day', 'id'],
    also: ['team_id'],
    sealContextOf: (row) => rawSealContext(text(row['team_id']), text(row['id'])),
  },
  {
    table: 'contacts',
    column: 'sealed_date_of_birth',
    key: ['team_id', 'id'],
    sealContextOf: (row) => ['contacts', 'date_of_birth', text(row['team_id']), text(row['id'])],
  },
  {
    table: 'sftp_host_keys',
    column: 'sealed_private_key',
    key: ['key_type'],
    sealContextOf: (row) => sftpHostKeySealContext(text(row['key_type'])),
  },
  {
    table: 'file_sources',
    column: 'sealed_credential',
    key: ['team_id', 'id'],
    sealContextOf: (row) => fileSourceSealContext(text(row['team_id']), text(row['id'])),
  },
  {
    table: 'sending_domains',
    column: 'sealed_dkim_key',
    key: ['team_id', 'id'],
    sealContextOf: (row) => dkimKeySealContext(text(row['team_id']), text(row['id'])),
  },
  providerSecret('sealed_secret'),
  providerSecret('sealed_previous_secret'),
  {
    table: 'contact_erasures',
    column: 'sealed_identity',
    key: ['team_id', 'id'],
    sealContextOf: (row) => ['contact_erasures', 'identity', text(row['team_id']), text(row['id'])],
  },
  {
    table: 'contact_devices',
    column: 'sealed_token',
    key: ['team_id', 'id'],
    sealContextOf: (row) => ['contact_devices', 'token', text(row['team_id']), text(row['id'])],
  },
  {
    table: 'message_sends',
    column: 'sealed_test_address',
    key: ['team_id', 'id'],
    sealContextOf: (row) => testAddressSealContext(text(row['team_id']), text(row['id'])),
  },
  {
    table: 'message_sends',
    column: 'sealed_data',
    key: ['team_id', 'id'],
    sealContextOf: (row) => sendDataSealContext(text(row['team_id']), text(row['id'])),
  },
  {
    table: 'archived_messages',
    column: 'sealed_addresses',
    key: ['team_id', 'id', 'inserted_at'],
    sealContextOf: (row) => addressesSealContext(text(row['team_id']), text(row['id'])),
  },
  {
    table: 'archived_contents',
    column: 'sealed_content',
    key: ['team_id', 'id'],
    sealContextOf: (row) => contentSealContext(text(row['team_id']), text(row['id'])),
  },
  {
    table: 'journey_data',
    column: 'sealed_data',
    key: ['team_id', 'journey_id'],
    sealContextOf: (row) => journeyDataSealContext(text(row['team_id']), text(row['journey_id'])),
  },
  {
    table: 'test_recipients',
    column: 'sealed_address',
    key: ['team_id', 'id'],
    sealContextOf: (row) => testRecipientSealContext(text(row['team_id']), text(row['id'])),
  },
  {
    table: 'identity_challenges',
    column: 'sealed_code',
    key: ['team_id', 'id'],
    sealContextOf: (row) => codeSealContext({ team_id: text(row['team_id']), id: text(row['id']) }),
  },
];

function deliverySetting(column: 'sealed_headers' | 'sealed_private_key'): SealedColumn {
  return {
    table: 'webhook_delivery_settings',
    column,
    key: ['team_id', 'subscription_id'],
    sealContextOf: (row) =>
      settingsSealContext(column, text(row['team_id']), text(row['subscription_id'])),
  };
}

function providerSecret(column: 'sealed_secret' | 'sealed_previous_secret'): SealedColumn {
  return {
    table: 'sending_providers',
    column,
    key: ['team_id', 'id'],
    sealContextOf: (row) => providerSecretSealContext(text(row['team_id']), text(row['id'])),
  };
}

function text(value: string | Uint8Array | undefined): string {
  return typeof value === 'string' ? value : '';
}
