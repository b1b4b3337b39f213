import { Type } from 'typebox';
import {
  Cidr,
  Count,
  OneOf,
  Text,
  Timestamp,
  createBody,
  patchBody,
  resource,
} from '../../platform/schema/fields.ts';
import type { ListField } from '../../platform/lists/declaration.ts';

export const keyTypes = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'ssh-rsa',
] as const;

const Purpose = OneOf(
  ['contacts', 'accounts', 'objective_completions', 'mixed'],
  'Which drop folders it may use; `contacts` by default. A named one needs the scopes of its operations',
);
const Status = OneOf(['active', 'revoked', 'expired'], 'Follows from revoked_at and the clock');

export const SftpCredential = resource('sftp_credential', {
  name: Text(120),
  username: Type.String(),
  host: Type.String(),
  port: Type.Integer(),
  home_directory: Type.String(),
  public_key: Text(4_096, 'One line in the form of OpenSSH; the comment is dropped'),
  key_type: OneOf(keyTypes),
  fingerprint_sha256: Type.String({ description: 'As ssh-keygen -l shows it' }),
  host_key_fingerprints: Type.Array(Type.String(), {
    description: 'By which to know the server',
  }),
  purpose: Purpose,
  allowed_cidrs: Type.Array(Cidr(), {
    maxItems: 20,
    uniqueItems: true,
    description: 'Networks that may connect; none means all',
  }),
  is_active: Type.Boolean({ description: 'Whether the status is active' }),
  status: Status,
  expires_at: Type.Optional(Timestamp()),
  revoked_at: Type.Optional(Timestamp()),
  last_used_at: Type.Optional(Timestamp()),
  last_upload_at: Type.Optional(Timestamp()),
  upload_count: Count(),
});

/** Response of create: a generated private key is shown once and not stored. */
export const CreatedSftpCredential = Type.Object(
  {
    ...SftpCredential.properties,
    private_key: Type.Optional(
      Type.String({ description: 'In the form of OpenSSH; shown only here' }),
    ),
  },
  { title: 'created_sftp_credential' },
);

const Written = Type.Object({
  ...SftpCredential.properties,
  public_key: Type.Optional(SftpCredential.properties.public_key),
  generate_key_pair: Type.Optional(Type.Boolean({ description: 'Instead of public_key' })),
});

/** The purpose of credentials that name none; `mixed` is chosen by name only. */
export const defaultPurpose = 'contacts';

export const SftpCredentialCreate = createBody(
  Written,
  ['name'],
  ['public_key', 'generate_key_pair', 'purpose', 'allowed_cidrs', 'expires_at'],
);
export const SftpCredentialPatch = patchBody(SftpCredential, [
  'name',
  'public_key',
  'purpose',
  'allowed_cidrs',
  'expires_at',
]);

/** `t.` columns → status. */
export const statusByClock = `case when t.revoked_at is not null then 'revoked'
  when t.expires_at <= now() then 'expired' else 'active' end`;

const choice = ['eq', 'neq', 'in', 'nin'] as const;

export const sftpCredentialListFields = {
  inserted_at: { type: 'timestamp', filter: true, sort: true },
  updated_at: { type: 'timestamp', filter: true, sort: true },
  name: { type: 'text', filter: true, sort: true },
  username: { type: 'text', filter: choice },
  status: { type: 'enum', values: Status.enum, column: statusByClock, filter: choice },
  is_active: { type: 'boolean', column: `${statusByClock} = 'active'`, filter: ['eq', 'neq'] },
  purpose: { type: 'enum', values: Purpose.enum, filter: choice },
} as const satisfies Record<string, ListField>;

/** Active SFTP credentials of a team. */
export const maxActiveSftpCredentials = 20;
