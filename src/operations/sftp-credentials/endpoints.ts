import { changedFields, recordEvent } from '../../platform/events/record.ts';
import { sftpCredentialsCreated } from '../events.ts';
import { endpoint } from '../../platform/http/endpoint.ts';
import { actionNotAllowed, failAll, immutable, taken } from '../../platform/http/errors.ts';
import type { Problem } from '../../platform/http/errors.ts';
import { listEndpoint } from '../../platform/lists/list-endpoint.ts';
import { inUtc } from '../../platform/time/rules.ts';
import { lockTeam } from '../../team/queries.ts';
import { checkQuota } from '../../platform/resources/quota.ts';
import { checkPurpose, rightsAfter, rightsOf } from '../sftp/access/principal.ts';
import { newKeyPair, readPublicKey } from './key-pairs.ts';
import type { PublicKey } from './key-pairs.ts';
import {
  countActiveSftpCredentials,
  ensureSftpHostKey,
  findSftpCredentialByKey,
  insertSftpCredential,
  lockSftpCredential,
  requireSftpCredential,
  sftpCredentialSource,
  updateSftpCredentialRow,
} from './queries.ts';
import type { SftpCredentialRow } from './queries.ts';
import {
  CreatedSftpCredential,
  SftpCredential,
  SftpCredentialCreate,
  SftpCredentialPatch,
  defaultPurpose,
  maxActiveSftpCredentials,
  sftpCredentialListFields,
} from './sftp-credential.ts';

const tag = 'SFTP';
const path = '/v2/partner/sftp-credentials';
const scope = 'partner:sftp:write';

export const listSftpCredentials = listEndpoint({
  id: 'listSftpCredentials',
  path,
  summary: 'List SFTP credentials',
  description:
    'Returns the SFTP credentials of the team. Private keys are never returned. Revoked and ' +
    'expired ones are among them, with the time of their last use.',
  tag,
  scope: 'partner:sftp:read',
  item: SftpCredential,
  fields: sftpCredentialListFields,
  defaultSort: '-inserted_at',
  source: ({ teamId, services }) => sftpCredentialSource(teamId, services.config.sftp),
});

export const createSftpCredentials = endpoint({
  id: 'createSftpCredentials',
  method: 'POST',
  path,
  summary: 'Create SFTP credentials for a public key, or for a generated key pair shown once',
  description:
    'Creates SFTP credentials for your public key, or for a key pair that the service ' +
    'generates; the private key of a generated pair is shown in this answer only. A public ' +
    'key can be used by one credential of the team, which has at most 20 active ones. ' +
    'Files are imported with the rights of your client, and a purpose needs the scopes of its ' +
    'operations. Connect with the username, host and host key of the answer.',
  errors: ['public_key_taken', 'quota_exceeded'],
  tag,
  scope,
  rateClass: 'write',
  bodyExample: { name: 'Nightly files', purpose: 'contacts', generate_key_pair: true },
  body: SftpCredentialCreate,
  status: 201,
  response: CreatedSftpCredential,
  location: `${path}/{id}`,
  showsSecret: true,
  audit: 'sftp_credential.created',
  async handle({ sql, teamId, principal, body, services: { config, keyring } }) {
    if (body.purpose !== undefined) checkPurpose(principal, body.purpose);
    const purpose = body.purpose ?? defaultPurpose;
    const expires_at = inUtc(body.expires_at) ?? null;
    const problems = [...keyProblems(body), ...expiryProblems(expires_at)];
    if (problems.length > 0) throw failAll(problems);
    const { key, privateKey } = keyOf(body.public_key);
    await lockTeam(sql, teamId);
    const holder = await findSftpCredentialByKey(sql, teamId, key.fingerprint_sha256);
    if (holder) {
      throw taken('public_key_taken', 'sftp_credential', 'public_key', holder);
    }
    await checkQuota(sql, teamId, {
      name: 'sftp_credentials',
      of: 'active SFTP credentials',
      limit: maxActiveSftpCredentials,
      count: countActiveSftpCredentials,
    });
    await ensureSftpHostKey(sql, keyring);
    const id = await insertSftpCredential(sql, teamId, {
      name: body.name,
      purpose,
      ...rightsOf(principal, purpose),
      allowed_cidrs: body.allowed_cidrs ?? [],
      expires_at,
      ...key,
    });
    const made = await requireSftpCredential(sql, teamId, id, config.sftp);
    recordEvent(sql, { teamId, type: sftpCredentialsCreated, data: made, sequence: 1 });
    return { ...made, private_key: privateKey };
  },
});

export const getSftpCredential = endpoint({
  id: 'getSftpCredential',
  method: 'GET',
  path: `${path}/{id}`,
  summary: 'Get an SFTP credential',
  description:
    'Returns one SFTP credential with its username, host and status. Private keys are never ' +
    'returned. It has no side effects.',
  tag,
  scope: 'partner:sftp:read',
  rateClass: 'read',
  response: SftpCredential,
  handle: ({ sql, teamId, params, services }) =>
    requireSftpCredential(sql, teamId, params.id, services.config.sftp),
});

export const updateSftpCredential = endpoint({
  id: 'updateSftpCredential',
  method: 'PATCH',
  path: `${path}/{id}`,
  summary: 'Update an SFTP credential; its key cannot be changed',
  description:
    'Changes the name, the purpose, the networks or the end of SFTP credentials. The public ' +
    'key is fixed. Only active credentials can get another end. The change applies to the ' +
    'next connection. Any change but that of the name needs the scopes of the files, which are ' +
    'then imported with the rights of your client.',
  errors: ['immutable_field', 'invalid_state_transition'],
  tag,
  scope,
  rateClass: 'write',
  body: SftpCredentialPatch,
  response: SftpCredential,
  audit: 'sftp_credential.updated',
  async handle(call) {
    const { sql, teamId, principal, params, body, checkPrecondition, services } = call;
    const { id } = params;
    const { config } = services;
    const before = await lockSftpCredential(sql, teamId, id, config.sftp);
    checkPrecondition(before);
    if (body.public_key !== undefined && bareKey(body.public_key) !== before.public_key) {
      throw immutable('sftp_credential', 'public_key');
    }
    const requested = {
      name: body.name ?? before.name,
      purpose: body.purpose ?? before.purpose,
      allowed_cidrs: body.allowed_cidrs ?? before.allowed_cidrs,
      expires_at: body.expires_at === undefined ? before.expires_at : inUtc(body.expires_at),
    };
    if (requested.expires_at !== before.expires_at) {
      if (before.status !== 'active') throw illegal(before, 'extend');
      const problems = expiryProblems(requested.expires_at);
      if (problems.length > 0) throw failAll(problems);
    }
    const changed = changedFields(SftpCredential, before, { ...before, ...requested });
    const rights = rightsAfter(principal, before, {
      purpose: requested.purpose,
      isNamed: body.purpose !== undefined,
      isRedirected: Object.keys(changed ?? {}).some((field) => field !== 'name'),
    });
    if (!changed && rights === before) return before;
    const { client_id, scopes } = rights;
    await updateSftpCredentialRow(sql, before, { ...requested, client_id, scopes });
    return requireSftpCredential(sql, teamId, id, config.sftp);
  },
});

export const revokeSftpCredential = endpoint({
  id: 'revokeSftpCredential',
  method: 'POST',
  path: `${path}/{id}/revoke`,
  summary: 'Revoke active SFTP credentials permanently',
  description:
    'Revokes active SFTP credentials permanently. They can no longer be used to connect. ' +
    'Credentials that are revoked or expired are refused with 409. Create other credentials ' +
    'to continue.',
  errors: ['invalid_state_transition', 'precondition_failed'],
  tag,
  scope,
  rateClass: 'execute',
  response: SftpCredential,
  audit: 'sftp_credential.revoked',
  async handle({ sql, teamId, params: { id }, checkPrecondition, services: { config } }) {
    const before = await lockSftpCredential(sql, teamId, id, config.sftp);
    checkPrecondition(before);
    if (before.status !== 'active') throw illegal(before, 'revoke');
    await updateSftpCredentialRow(sql, before, { revoked_at: new Date().toISOString() });
    return requireSftpCredential(sql, teamId, id, config.sftp);
  },
});

export const deleteSftpCredential = endpoint({
  id: 'deleteSftpCredential',
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'Delete SFTP credentials; the key can be used again',
  description:
    'Deletes SFTP credentials permanently. They can no longer be used to connect, and their public key ' +
    'can be used again. Files that arrived stay.',
  tag,
  scope: 'partner:sftp:delete',
  rateClass: 'write',
  audit: 'sftp_credential.deleted',
  async handle({ sql, teamId, params: { id }, checkPrecondition, services: { config } }) {
    const before = await lockSftpCredential(sql, teamId, id, config.sftp);
    checkPrecondition(before);
    await updateSftpCredentialRow(sql, before, { deleted_at: new Date().toISOString() });
    return undefined;
  },
});

export const sftpCredentialEndpoints = [
  listSftpCredentials,
  createSftpCredentials,
  getSftpCredential,
  updateSftpCredential,
  revokeSftpCredential,
  deleteSftpCredential,
];

/** Exactly one of a public key and the wish for a pair. */
function keyProblems(body: {
  public_key?: string | null | undefined;
  generate_key_pair?: boolean | null | undefined;
}): Problem[] {
  const { public_key } = body;
  const wantsPair = body.generate_key_pair ?? false;
  if (typeof public_key !== 'string') {
    if (wantsPair) return [];
    return [keyProblem('required', 'is required, or generate_key_pair: true')];
  }
  if (wantsPair) return [keyProblem('unknown_field', 'excludes generate_key_pair')];
  const read = readPublicKey(public_key);
  return 'problem' in read ? [keyProblem(read.rule, read.problem)] : [];
}

function keyProblem(rule: string, says: string): Problem {
  return {
    code: 'validation_failed',
    detail: `public_key ${says}.`,
    meta: { pointer: '/public_key', rule },
  };
}

function keyOf(line: string | null | undefined): { key: PublicKey; privateKey?: string } {
  const read = typeof line === 'string' ? readPublicKey(line) : undefined;
  return read === undefined || 'problem' in read ? newKeyPair() : { key: read };
}

/** The key as it is stored, without its comment. */
const bareKey = (line: string) => line.trim().split(/\s+/, 2).join(' ');

function expiryProblems(expiresAt: string | null): Problem[] {
  if (expiresAt === null || Date.parse(expiresAt) > Date.now()) return [];
  return [
    {
      code: 'validation_failed',
      detail: 'expires_at must lie in the future.',
      meta: { pointer: '/expires_at', rule: 'min' },
    },
  ];
}

/** Revoked and expired credentials stay so. */
const illegal = ({ status }: SftpCredentialRow, action: 'extend' | 'revoke') =>
  actionNotAllowed('sftp_credential', { state: status, action, allowed: [] });
