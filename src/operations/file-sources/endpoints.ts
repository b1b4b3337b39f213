import type { EgressRules } from '../../platform/egress/address-rules.ts';
import { checkTargetHost } from '../../platform/egress/address-rules.ts';
import { changedFields } from '../../platform/events/record.ts';
import { endpoint } from '../../platform/http/endpoint.ts';
import { fail, failAll } from '../../platform/http/errors.ts';
import type { Problem } from '../../platform/http/errors.ts';
import { standardEndpoints } from '../../platform/resources/standard-endpoints.ts';
import { signalJob } from '../../platform/jobs/queries.ts';
import { fileSourceTestJob } from '../../../workflows/jobs.ts';
import { lockTeam } from '../../team/queries.ts';
import { checkPurpose, rightsAfter, rightsOf } from '../sftp/access/principal.ts';
import { readCredential, refused } from './credentials.ts';
import {
  FileSource,
  FileSourceCreate,
  FileSourcePatch,
  fileSourceListFields,
  maxFileSources,
} from './file-source.ts';
import {
  deleteFileSourceRow,
  fileSources,
  findRival,
  insertFileSource,
  requestTest,
  updateFileSourceRow,
} from './queries.ts';
import { needsCredential, newSource, sourceProblems, writeSource } from './rules.ts';
import type { Authentication, SourceContent } from './rules.ts';

const tag = 'SFTP';
const path = '/v2/partner/file-sources';
const scope = 'partner:sftp';
const standard = standardEndpoints(
  { ...fileSources, create: FileSourceCreate, patch: FileSourcePatch },
  { tag, path, scope },
);

export const listFileSources = standard.list({
  summary: 'List file sources',
  description:
    'Returns the file sources of the team. Credentials are never returned. test_status shows ' +
    'whether the last login succeeded.',
  fields: fileSourceListFields,
  defaultSort: '-inserted_at',
});

export const createFileSource = standard.create({
  summary: 'Create a file source, from which the files named by callbacks are fetched',
  description:
    'Creates a file source: a server from which the service fetches each file that a ' +
    'file_transfer_a callback names, and imports it. Send one credential: password, private_key, ' +
    'generate_key_pair or bearer_token; it is stored encrypted and never returned. A team has at ' +
    'most 20 file sources. Files are imported with the rights of your client, which needs the ' +
    'scopes of the operations of the purpose. Enter the public_key of the answer at the server.',
  errors: ['file_source_taken', 'target_not_allowed'],
  bodyExample: {
    name: 'Nightly contacts',
    source_kind: 'sftp',
    server_id: 'inbox',
    purpose: 'contacts',
    host: 'files.example.com',
    username: 'onward',
    password: 'of the server',
    host_key_fingerprints: ['SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU'],
  },
  quota: maxFileSources,
  async handle({ sql, teamId, principal, body, services: { config, keyring } }) {
    checkPurpose(principal, body.purpose);
    const source = newSource(body);
    const credential = readCredential(body);
    check(source, credential?.authentication, config.webhooks);
    if (!credential) {
      throw refused('password', 'required', 'or another credential is required.');
    }
    const rival = await findRival(sql, teamId, source, null);
    if (rival) throw taken(rival);
    const rights = rightsOf(principal, source.purpose);
    return insertFileSource(sql, keyring, teamId, { ...source, ...rights, credential });
  },
});

export const getFileSource = standard.get({
  summary: 'Get a file source',
  description:
    'Returns one file source. Its credential is never returned. The host keys by which the ' +
    'server is known, and the outcome of the last test, are in it.',
});

export const updateFileSource = standard.update({
  summary: 'Update a file source; its kind cannot be changed',
  description:
    'Changes the fields that the body names; a credential replaces the stored one. Another host ' +
    'or port needs the password or token in the same body, so that a stored one is never sent ' +
    'to another server. The change applies to the next attempt to fetch a file. With is_active ' +
    'false, fetches of the source end. Any change but that of the name, or to switch it off, needs ' +
    'the scopes of the files, which are then imported with the rights of your client.',
  errors: ['file_source_taken', 'target_not_allowed'],
  async handle({ sql, teamId, principal, body, services: { config, keyring } }, before) {
    fileSources.change(before, body);
    const requested = writeSource(before, body);
    const credential = readCredential(body);
    check(requested, credential?.authentication ?? before.authentication, config.webhooks);
    if (!credential && needsCredential(before, requested)) {
      throw refused(before.authentication, 'required', 'is required with another host or port.');
    }
    const changed = changedFields(FileSource, before, { ...before, ...requested });
    const isUse = (field: string) =>
      field !== 'name' && (field !== 'is_active' || requested.is_active);
    const rights = rightsAfter(principal, before, {
      purpose: requested.purpose,
      isNamed: body.purpose !== undefined,
      isRedirected: credential !== undefined || Object.keys(changed ?? {}).some(isUse),
    });
    if (!credential && !changed && rights === before) return before;
    await lockTeam(sql, teamId);
    const rival = await findRival(sql, teamId, requested, before.id);
    if (rival) throw taken(rival);
    const { client_id, scopes } = rights;
    return updateFileSourceRow(
      sql,
      keyring,
      before,
      { ...requested, client_id, scopes },
      credential,
    );
  },
});

export const deleteFileSource = standard.delete({
  summary: 'Delete a file source and its credential',
  description:
    'Deletes a file source and its credential permanently. Fetches that wait or run end as failed. ' +
    'Files that were fetched stay.',
  handle: ({ sql, teamId }, { id }) => deleteFileSourceRow(sql, teamId, id),
});

export const testFileSource = endpoint({
  id: 'testFileSource',
  method: 'POST',
  path: `${path}/{id}/test`,
  summary: 'Test the login of a file source, without reading a file',
  description:
    'Requests a test of a file source: a worker connects, checks the key or the certificate of ' +
    'the server, logs in and reads no file. The answer has test_status pending. Get the source ' +
    'until test_status is succeeded or failed; test_error says why. Sources ' +
    'of a team are tested one after the other; an inactive source can be tested as well.',
  errors: ['precondition_failed'],
  tag,
  scope: `${scope}:write`,
  rateClass: 'execute',
  status: 202,
  response: FileSource,
  audit: 'file_source.tested',
  async handle({ sql, teamId, params: { id }, checkPrecondition }) {
    const before = await fileSources.lock(sql, teamId, id);
    checkPrecondition(before);
    if (before.test_status === 'pending') return before;
    await requestTest(sql, before);
    await signalJob(sql, fileSourceTestJob, id, teamId);
    return fileSources.require(sql, teamId, id);
  },
});

export const fileSourceEndpoints = [
  listFileSources,
  createFileSource,
  getFileSource,
  updateFileSource,
  deleteFileSource,
  testFileSource,
];

/** Throws 422 where fields contradict each other or the host may not be called. */
function check(
  source: SourceContent,
  authentication: Authentication | undefined,
  rules: EgressRules,
): void {
  const problems: Problem[] = sourceProblems(source, authentication);
  const checked = checkTargetHost(source.host, source.port, rules);
  if (!checked.ok) {
    const { part, reason: detail } = checked;
    problems.push({ code: 'target_not_allowed', detail, meta: { pointer: `/${part}` } });
  }
  if (problems.length > 0) throw failAll(problems);
}

function taken({ id }: { id: string }) {
  return fail('file_source_taken', {
    detail: 'Another file source answers for this server_id, server_username and server_path.',
    meta: { pointer: '/server_id', id },
  });
}
