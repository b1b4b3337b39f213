import { createHash, randomUUID } from 'node:crypto';
import { Answer, endpoint } from '../../platform/http/endpoint.ts';
import { fail } from '../../platform/http/errors.ts';
import { listEndpoint } from '../../platform/lists/list-endpoint.ts';
import { lockContact, requireContact } from '../queries.ts';
import { Device, DeviceCreate, devicePlatforms, maxDevices } from './device.ts';
import {
  countDevices,
  deleteDeviceRow,
  deviceSource,
  findDeviceByToken,
  insertDevice,
  lockDevice,
  registerAgain,
  requireDevice,
} from './queries.ts';

const tag = 'Contacts';
const path = '/v2/partner/contacts/{id}/devices';
const keyParams = ['id'];

export const listContactDevices = listEndpoint({
  id: 'listContactDevices',
  path,
  keyParams,
  summary: 'List the devices of a contact',
  description:
    'Returns the devices of a contact that receive push messages. Push tokens are shown as a ' +
    'SHA-256 hash only.',
  errors: ['resource_erased', 'contact_merged'],
  tag,
  scope: 'partner:contacts:read',
  item: Device,
  fields: {
    inserted_at: { type: 'timestamp', filter: true, sort: true },
    updated_at: { type: 'timestamp', filter: true, sort: true },
    platform: { type: 'enum', values: devicePlatforms, filter: true },
    is_active: { type: 'boolean', filter: true },
    token_hash: { type: 'text', filter: ['eq', 'in'] },
  },
  defaultSort: '-inserted_at',
  async source({ sql, teamId, params: { id = '' } }) {
    return deviceSource(teamId, (await requireContact(sql, teamId, id)).id);
  },
});

export const createContactDevice = endpoint({
  id: 'createContactDevice',
  method: 'POST',
  path,
  keyParams,
  summary: 'Register a device of a contact; a known token is moved to the contact (200)',
  description:
    'Registers a device for push messages. A push token that the team knows already answers ' +
    '200 and moves the device to this contact. A contact has at most 50 devices. The token is ' +
    'stored encrypted and is never returned.',
  errors: ['resource_erased', 'contact_merged', 'quota_exceeded', 'conflict'],
  tag,
  scope: 'partner:contacts:write',
  rateClass: 'write',
  audit: { none: 'contact_data' },
  body: DeviceCreate,
  status: 201,
  repeatStatus: 200,
  response: Device,
  location: '/v2/partner/contacts/{contact_id}/devices/{id}',
  async handle({ sql, teamId, params, body: { token, platform, app_id }, services: { keyring } }) {
    const contact = await lockContact(sql, teamId, params.id);
    const token_hash = createHash('sha256').update(token).digest('hex');
    const device = { contact_id: contact.id, platform, app_id: app_id ?? null };
    const known = await findDeviceByToken(sql, teamId, token_hash);
    if (known) {
      const again = await registerAgain(sql, teamId, known.id, device);
      return new Answer(again, { isRepeat: true });
    }
    if ((await countDevices(sql, teamId, contact.id)) >= maxDevices) {
      throw fail('quota_exceeded', {
        detail: `A contact has at most ${String(maxDevices)} devices.`,
        meta: { quota: 'devices_per_contact', limit: maxDevices },
      });
    }
    const id = randomUUID();
    const sealed = keyring.seal(token, ['contact_devices', 'token', teamId, id]);
    const made = await insertDevice(sql, teamId, { id, token_hash, ...device }, sealed);
    if (made) return made;
    throw fail('conflict', { detail: 'The token is being registered by another request.' });
  },
});

export const getContactDevice = endpoint({
  id: 'getContactDevice',
  method: 'GET',
  path: `${path}/{device_id}`,
  keyParams,
  summary: 'Get a device of a contact',
  description: 'Returns one device of a contact. The push token is shown as a SHA-256 hash only.',
  errors: ['resource_erased', 'contact_merged'],
  tag,
  scope: 'partner:contacts:read',
  rateClass: 'read',
  response: Device,
  async handle({ sql, teamId, params }) {
    const contact = await requireContact(sql, teamId, params.id);
    return requireDevice(sql, teamId, contact.id, params.device_id);
  },
});

export const deleteContactDevice = endpoint({
  id: 'deleteContactDevice',
  method: 'DELETE',
  path: `${path}/{device_id}`,
  keyParams,
  summary: 'Remove a device of a contact',
  description:
    'Removes a device, which then receives no push messages. It cannot be undone. Register ' +
    'the device again to continue.',
  errors: ['resource_erased', 'contact_merged'],
  tag,
  scope: 'partner:contacts:delete',
  rateClass: 'write',
  audit: { none: 'contact_data' },
  async handle({ sql, teamId, params, checkPrecondition }) {
    const contact = await requireContact(sql, teamId, params.id);
    const device = await lockDevice(sql, teamId, contact.id, params.device_id);
    checkPrecondition(device);
    await deleteDeviceRow(sql, teamId, device.id);
    return undefined;
  },
});

export const contactDeviceEndpoints = [
  listContactDevices,
  createContactDevice,
  getContactDevice,
  deleteContactDevice,
];
