import { Type } from 'typebox';
import type { Static } from 'typebox';
import {
  OneOf,
  Text,
  Timestamp,
  createBody,
  patchBody,
  resource,
} from '../../platform/schema/fields.ts';
import type { ListField } from '../../platform/lists/declaration.ts';

const SourceKind = OneOf(['sftp', 'https'], 'Fixed once the source is made');
const Purpose = OneOf(
  ['contacts', 'accounts', 'objective_completions'],
  'The kind of record that the rows of its files become, as in the drop folders of SFTP credentials',
);
const plain = '^[^\\u0000-\\u001f\\u007f]+$';
/** A text without control characters. */
const Plain = (maxLength: number, description: string) =>
  Type.String({ pattern: plain, examples: ['inbox'], minLength: 1, maxLength, description });
const Folder = (description: string) =>
  Type.String({ pattern: '^/', examples: ['/inbox'], minLength: 1, maxLength: 500, description });

/** A server of a partner from which files are fetched when a callback names one. */
export const FileSource = resource('file_source', {
  name: Text(120),
  source_kind: SourceKind,
  is_active: Type.Boolean({ description: 'From an inactive source nothing is fetched' }),
  server_id: Plain(128, 'The `server_id` of the callbacks whose files it has'),
  server_username: Type.Optional(
    Plain(128, 'Only files that this `username` of callbacks has put; without it, those of all'),
  ),
  server_path: Folder('Only files below this folder of the callback’s `path`'),
  purpose: Purpose,
  host: Type.String({
    pattern: '^(\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?)$',
    examples: ['files.example.com'],
    maxLength: 253,
    description: 'A public name, or an address; an IPv6 address stands in brackets',
  }),
  port: Type.Integer({
    minimum: 1,
    maximum: 65_535,
    description: '22, 443 or another from 1024 up; 22 by default for sftp, 443 for https',
  }),
  base_path: Folder('Where `server_path` is on the host: the rest of a path is appended to it'),
  username: Type.Optional(Plain(200, 'Name of the login; required for sftp and for a password')),
  host_key_fingerprints: Type.Array(
    Type.String({
      pattern: '^SHA256:[A-Za-z0-9+/]{43}$',
      examples: ['SHA256:uNiVztksCsDhcc0u9e8BrJ0GHkyqH8ZBo8UvXFAXo0Y'],
    }),
    {
      maxItems: 5,
      uniqueItems: true,
      description:
        'As ssh-keygen -l shows them. A server with none of these keys gets no login; required ' +
        'for sftp, empty for https',
    },
  ),
  authentication: OneOf(['password', 'private_key', 'bearer_token'], 'Follows from the credential'),
  public_key: Type.Optional(
    Type.String({ description: 'Public key of the private key. Enter it at the server' }),
  ),
  credential_changed_at: Timestamp(),
  last_fetched_at: Type.Optional(Timestamp('When a file was last fetched')),
  test_status: Type.Optional(
    OneOf(
      ['pending', 'succeeded', 'failed'],
      'Outcome of the last test; absent before the first one',
    ),
  ),
  tested_at: Type.Optional(Timestamp('When the last test ended')),
  test_error: Type.Optional(
    Type.Object(
      { code: Type.String(), detail: Type.String() },
      { title: 'file_source_test_error', description: 'Why the last test failed' },
    ),
  ),
});
export type FileSource = Static<typeof FileSource>;

const secret = { writeOnly: true };

/** One of them is the credential; null is as good as absent. */
const Credential = {
  password: Type.Optional(
    Type.String({
      ...secret,
      pattern: plain,
      examples: ['b3f1-9c2e'],
      minLength: 1,
      maxLength: 1_000,
      description: 'With `username`; by HTTP Basic for https',
    }),
  ),
  private_key: Type.Optional(
    Type.String({
      ...secret,
      minLength: 1,
      maxLength: 16_384,
      description: 'For sftp: in the form of OpenSSH or PEM, without a passphrase',
    }),
  ),
  generate_key_pair: Type.Optional(
    Type.Boolean({
      ...secret,
      description: 'For sftp, instead of private_key: the service makes the pair',
    }),
  ),
  bearer_token: Type.Optional(
    Type.String({
      ...secret,
      pattern: '^[!-~]+$',
      examples: ['b3f19c2e'],
      minLength: 1,
      maxLength: 4_096,
      description: 'For https',
    }),
  ),
};
const credentialFields = [
  'password',
  'private_key',
  'generate_key_pair',
  'bearer_token',
] as const satisfies (keyof typeof Credential)[];

const { is_active, server_path, port, base_path, host_key_fingerprints } = FileSource.properties;

const Written = Type.Object({
  ...FileSource.properties,
  is_active: Type.Optional(is_active),
  server_path: Type.Optional(server_path),
  port: Type.Optional(port),
  base_path: Type.Optional(base_path),
  host_key_fingerprints: Type.Optional(host_key_fingerprints),
  ...Credential,
});

const defaulted = [
  'is_active',
  'server_username',
  'server_path',
  'port',
  'base_path',
  'username',
  'host_key_fingerprints',
] as const;
const needed = ['name', 'source_kind', 'server_id', 'purpose', 'host'] as const;

export const FileSourceCreate = createBody(Written, needed, [...defaulted, ...credentialFields]);
export type FileSourceCreate = Static<typeof FileSourceCreate>;

export const FileSourcePatch = patchBody(Type.Object({ ...FileSource.properties, ...Credential }), [
  ...needed,
  ...defaulted,
  ...credentialFields,
]);
export type FileSourcePatch = Static<typeof FileSourcePatch>;

const choice = ['eq', 'neq', 'in', 'nin'] as const;

export const fileSourceListFields = {
  inserted_at: { type: 'timestamp', filter: true, sort: true },
  updated_at: { type: 'timestamp', filter: true, sort: true },
  name: { type: 'text', filter: true, sort: true },
  source_kind: { type: 'enum', values: SourceKind.enum, filter: choice },
  server_id: { type: 'text', filter: choice },
  purpose: { type: 'enum', values: Purpose.enum, filter: choice },
  is_active: { type: 'boolean', filter: ['eq', 'neq'] },
} as const satisfies Record<string, ListField>;

/** File sources of a team. */
export const maxFileSources = 20;
