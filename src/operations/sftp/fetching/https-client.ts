import type { Egress } from '../../../platform/egress/client.ts';
import { namesOf } from '../../file-sources/rules.ts';
import { failures, temporary } from './failure.ts';
import type { FetchFailure } from './failure.ts';
import type { OpenSource } from './queries.ts';
import type { FetchScope, RemoteFile } from './scope.ts';

/** Opens a file of an HTTPS server. Redirects are not followed. */
export async function openByHttps(
  egress: Egress,
  scope: FetchScope,
  source: OpenSource,
  names: readonly string[],
): Promise<RemoteFile> {
  const path = `/${names.map(encodeURIComponent).join('/')}`;
  const { status, headers, body } = await sendRequest(egress, scope, source, path);
  if (status !== 200) throw refusalOf(status);
  const encoding = textOf(headers['content-encoding']);
  if (encoding !== undefined && encoding !== 'identity') {
    throw failures.wrongType('The server answers with a Content-Encoding.');
  }
  // The server returned a page, such as that of a login, in place of the file.
  if (/^text\/html\b/i.test(textOf(headers['content-type']) ?? '')) {
    throw failures.wrongType('The server answers with an HTML page.');
  }
  const length = textOf(headers['content-length']);
  return { content: body, sizeBytes: length === undefined ? undefined : Number(length) };
}

/**
 * Requests the folder of a source. A server may provide no list of it, but must accept the login.
 */
export async function tryHttps(egress: Egress, scope: FetchScope, source: OpenSource) {
  const names = namesOf(source.base_path) ?? [];
  const path = ['', ...names.map(encodeURIComponent), ''].join('/');
  const { status } = await sendRequest(egress, scope, source, path);
  const isServed = status === 200 || status === 404 || status === 405;
  if (!isServed) throw refusalOf(status);
}

async function sendRequest(egress: Egress, scope: FetchScope, source: OpenSource, path: string) {
  const server = { host: source.host, port: source.port, secure: true };
  const socket = await scope.connect(server);
  const headers = { accept: '*/*', authorization: authorizationOf(source) };
  return scope.during(egress.download(socket, { ...server, path, headers }));
}

function authorizationOf({ authentication, username, secret }: OpenSource): string {
  if (authentication === 'bearer_token') return `Bearer ${secret}`;
  return `Basic ${Buffer.from(`${username ?? ''}:${secret}`).toString('base64')}`;
}

function refusalOf(status: number): FetchFailure {
  if (status === 401 || status === 403) return failures.loginRefused();
  if (status === 404 || status === 410) return failures.notFound();
  const detail = `The server answers with the status ${String(status)}.`;
  const isTemporary = status === 408 || status === 425 || status === 429 || status >= 500;
  return isTemporary ? temporary('connection_failed', detail) : failures.notReadable(detail);
}

function textOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}
