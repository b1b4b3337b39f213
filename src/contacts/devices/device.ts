import { Type } from 'typebox';
import { OneOf, Id, Text, Timestamp, createBody, resource } from '../../platform/schema/fields.ts';

export const devicePlatforms = ['ios', 'android', 'web'] as const;

/** A device that receives push messages. Its token is write-only; responses show its digest. */
export const Device = resource('device', {
  contact_id: Id(),
  token_hash: Type.String({ description: 'SHA-256 of the token, in hex' }),
  platform: OneOf(devicePlatforms),
  app_id: Type.Optional(Text(255)),
  is_active: Type.Boolean({ description: 'False once the provider calls the token invalid' }),
  last_seen_at: Timestamp('When it was registered last'),
});

const Written = Type.Object({
  ...Device.properties,
  token: Text(4_096, 'As the push provider gave it; never shown'),
});

export const DeviceCreate = createBody(Written, ['token', 'platform'], ['app_id']);

/** Devices at most of a contact. */
export const maxDevices = 50;
