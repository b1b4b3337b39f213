import { batchSettings, inboundSettings, insightSettings } from './background.ts';
import { databaseSettings } from './database.ts';
import { connectionSettings } from './http.ts';
import { keySettings } from './keys.ts';
import { localSettings } from './local.ts';
import { sendingSettings } from './sending-settings.ts';
import { addressSettings, strangerSettings } from './service.ts';
import type { Setting, SettingGroup } from './setting.ts';
import { sftpSettings } from './sftp.ts';
import { temporalSettings } from './temporal.ts';
import { tracingSettings } from './tracing.ts';
import { webhookSettings } from './webhooks.ts';

const groups: Readonly<Record<string, SettingGroup>> = {
  addresses: addressSettings,
  'limits of strangers': strangerSettings,
  connections: connectionSettings,
  keys: keySettings,
  local: localSettings,
  tracing: tracingSettings,
  postgres: databaseSettings,
  temporal: temporalSettings,
  'inbound webhooks': inboundSettings,
  sftp: sftpSettings,
  webhooks: webhookSettings,
  sending: sendingSettings,
  batches: batchSettings,
  insights: insightSettings,
};

/** Every setting by the heading of docs/settings.md that lists it. */
export const settings: Readonly<Record<string, readonly Setting[]>> = Object.fromEntries(
  Object.entries(groups).map(([heading, group]) => [heading, Object.values(group)]),
);
