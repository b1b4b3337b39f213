import type { Problem } from '../../platform/http/errors.ts';
import type { FileSource, FileSourceCreate, FileSourcePatch } from './file-source.ts';

/** Fields of a source that clients write, without its credential. */
export interface SourceContent extends Pick<
  FileSource,
  | 'name'
  | 'source_kind'
  | 'is_active'
  | 'server_id'
  | 'server_path'
  | 'purpose'
  | 'host'
  | 'port'
  | 'base_path'
  | 'host_key_fingerprints'
> {
  server_username: string | null;
  username: string | null;
}

export type Authentication = FileSource['authentication'];

/** The source that a body makes. */
export function newSource(body: FileSourceCreate): SourceContent {
  return {
    name: body.name,
    source_kind: body.source_kind,
    is_active: body.is_active ?? true,
    server_id: body.server_id,
    server_username: body.server_username ?? null,
    server_path: folderOf(body.server_path ?? '/'),
    purpose: body.purpose,
    host: body.host.toLowerCase(),
    port: body.port ?? (body.source_kind === 'sftp' ? 22 : 443),
    base_path: folderOf(body.base_path ?? '/'),
    username: body.username ?? null,
    host_key_fingerprints: body.host_key_fingerprints ?? [],
  };
}

/** Returns the source with the changes of a body: an absent field is unchanged, null clears it. */
export function writeSource(before: SourceContent, body: FileSourcePatch): SourceContent {
  return {
    name: body.name ?? before.name,
    source_kind: before.source_kind,
    is_active: body.is_active ?? before.is_active,
    server_id: body.server_id ?? before.server_id,
    server_username: given(body.server_username, before.server_username),
    server_path: folderOf(body.server_path ?? before.server_path),
    purpose: body.purpose ?? before.purpose,
    host: (body.host ?? before.host).toLowerCase(),
    port: body.port ?? before.port,
    base_path: folderOf(body.base_path ?? before.base_path),
    username: given(body.username, before.username),
    host_key_fingerprints: body.host_key_fingerprints ?? before.host_key_fingerprints,
  };
}

const given = (requested: string | null | undefined, before: string | null) =>
  requested === undefined ? before : requested;

/** The names of a path; undefined where it is no plain path and might leave its folder. */
export function namesOf(path: string): string[] | undefined {
  if (path.length > 1_000 || /[\p{Cc}\\]/u.test(path)) return undefined;
  // Half a character cannot be written in UTF-8.
  if (/\p{Surrogate}/u.test(path)) return undefined;
  const names = path.split('/').filter((name) => name !== '');
  return names.some((name) => name === '.' || name === '..') ? undefined : names;
}

function folderOf(path: string): string {
  const names = namesOf(path);
  return names ? `/${names.join('/')}` : path;
}

/** Settings of a source that conflict with its authentication. */
export function sourceProblems(
  source: SourceContent,
  authentication: Authentication | undefined,
): Problem[] {
  const problems: Problem[] = [];
  const refuse = (field: string, rule: string, detail: string) => {
    problems.push({
      code: 'validation_failed',
      detail: `${field} ${detail}`,
      meta: { pointer: `/${field}`, rule },
    });
  };
  const { source_kind, username, host_key_fingerprints } = source;
  for (const field of ['server_path', 'base_path'] as const) {
    if (namesOf(source[field]) === undefined) {
      refuse(field, 'format', 'must not have `.`, `..`, backslashes or control characters.');
    }
  }
  if (source_kind === 'sftp') {
    if (username === null) refuse('username', 'required', 'is required for sftp.');
    if (host_key_fingerprints.length === 0) {
      refuse('host_key_fingerprints', 'required', 'must name a key of the server for sftp.');
    }
    if (authentication === 'bearer_token') {
      refuse('bearer_token', 'unknown_field', 'is for https; sftp takes a password or a key.');
    }
    return problems;
  }
  if (host_key_fingerprints.length > 0) {
    refuse('host_key_fingerprints', 'unknown_field', 'is for sftp; https checks the certificate.');
  }
  if (authentication === 'private_key') {
    refuse('private_key', 'unknown_field', 'is for sftp; https takes a password or a token.');
  }
  if (authentication === 'password' && username === null) {
    refuse('username', 'required', 'is required with a password.');
  }
  if (authentication === 'password' && username?.includes(':')) {
    refuse('username', 'format', 'must not have a colon for https.');
  }
  return problems;
}

/** Whether a secret would be sent to another server than the one that it was written for. */
export function needsCredential(
  before: SourceContent & { authentication: Authentication },
  after: SourceContent,
): boolean {
  if (before.authentication === 'private_key') return false;
  return before.host !== after.host || before.port !== after.port;
}
