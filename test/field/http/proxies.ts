import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../../support/eventually.ts';
import { takePort } from '../../support/ports.ts';
import { versionOf } from '../programs.ts';
import { call } from '../service.ts';
import type { FieldService, Story } from '../story.ts';

// Proxies that stand in front of the API, with settings that their users find in many places.

interface Place {
  directory: string;
  port: number;
  /** Host and port of the API. */
  api: string;
}

const nginx = ({ directory, port, api }: Place) => `
worker_processes 1;
pid ${directory}/nginx.pid;
error_log ${directory}/error.log;
events { worker_connections 256; }
http {
  access_log off;
  client_body_temp_path ${directory}/body;
  proxy_temp_path ${directory}/proxy;
  fastcgi_temp_path ${directory}/fastcgi;
  uwsgi_temp_path ${directory}/uwsgi;
  scgi_temp_path ${directory}/scgi;
  gzip on;
  gzip_types *;
  gzip_proxied any;
  server {
    listen 127.0.0.1:${String(port)};
    client_max_body_size 200m;
    location / {
      proxy_pass http://${api};
      proxy_http_version 1.1;
      proxy_set_header Host $host:$server_port;
      proxy_set_header X-Forwarded-For $remote_addr;
    }
  }
}
`;

const haproxy = ({ port, api }: Place) => `
global
  maxconn 256
defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
frontend front
  bind 127.0.0.1:${String(port)}
  option forwardfor
  default_backend api
backend api
  option httpchk GET /readyz
  http-check expect status 200
  server onward ${api} check inter 100
  server probed ${api} check inter 100 port ${api.split(':')[1] ?? ''} backup
`;

/** Does something while a proxy runs, at its address. */
async function behind(
  { directory: root, apiUrl }: FieldService,
  program: 'nginx' | 'haproxy',
  work: (url: string) => Promise<void>,
): Promise<void> {
  const directory = join(root, program);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const port = await takePort();
  const config = join(directory, 'proxy.conf');
  const place = { directory, port, api: new URL(apiUrl).host };
  writeFileSync(config, program === 'nginx' ? nginx(place) : haproxy(place));
  const args =
    program === 'nginx' ? ['-c', config, '-p', directory, '-g', 'daemon off;'] : ['-f', config];
  const proxy = spawn(program, args, { stdio: 'ignore' });
  const ended = new Promise((resolve) => proxy.once('close', resolve));
  const url = `http://127.0.0.1:${String(port)}`;
  try {
    await eventually(
      () => fetch(`${url}/readyz`).catch(() => undefined),
      (answer) => answer?.status === 200,
    );
    await work(url);
  } finally {
    proxy.kill('SIGTERM');
    await ended;
  }
}

function expectSame(what: string, found: unknown, expected: unknown): void {
  if (JSON.stringify(found) === JSON.stringify(expected)) return;
  throw new Error(`${what}: ${String(found).slice(0, 500)}`);
}

/** Uploads a file whose length is not told, and has it imported. */
async function uploads(service: FieldService, rows: number): Promise<void> {
  const { apiUrl, token } = service;
  const lines = Array.from({ length: rows }, (_, at) => `proxied-${String(at)},Ada\r\n`);
  const body = new Blob(['unique_id,first_name\r\n', ...lines]).stream();
  const answer = await fetch(`${apiUrl}/v2/batch/uploads`, {
    ...{ method: 'POST', body, duplex: 'half' as const },
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv' },
  });
  const { id } = (await answer.json()) as { id: string };
  expectSame('an upload is taken', answer.status, 201);
  const asked = { operation_kind: 'contacts.bulk_upsert', upload_id: id };
  const batch = (await call(service, 'POST', '/v2/batch/operations', asked)) as { id: string };
  const { status, succeeded_count: succeeded } = await eventually(
    async () =>
      (await call(service, 'GET', `/v2/batch/operations/${batch.id}`)) as Record<string, unknown>,
    ({ status: now }) => now !== 'queued' && now !== 'validating' && now !== 'running',
  );
  expectSame('the batch', { status, succeeded }, { status: 'succeeded', succeeded: rows });
}

/** The bytes of an export, as they come by an address. */
async function download({ token }: FieldService, url: string, id: string): Promise<string> {
  const answer = await fetch(`${url}/v2/partner/exports/${id}/file`, {
    headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' },
  });
  if (!answer.ok) throw new Error(`the file: ${String(answer.status)} ${await answer.text()}`);
  return answer.text();
}

/** Reads and writes by an address; what is read is what comes without the proxy. */
async function use(service: FieldService, url: string): Promise<void> {
  const by = { ...service, apiUrl: url };
  await uploads(by, 2_000);
  const list = '/v2/partner/contacts?page[size]=100&sort=inserted_at';
  const page = (await call(service, 'GET', list)) as { data: unknown[] };
  expectSame('a page has its rows', page.data.length, 100);
  expectSame('a list', await call(by, 'GET', list), page);
  const made = (await call(by, 'POST', '/v2/partner/exports', { kind: 'contacts' })) as {
    id: string;
  };
  await eventually(
    async () =>
      (await call(by, 'GET', `/v2/partner/exports/${made.id}`)) as Record<string, unknown>,
    ({ status }) => status === 'succeeded',
  );
  expectSame(
    'an export is the same by the proxy',
    await download(service, url, made.id),
    await download(service, service.apiUrl, made.id),
  );
}

/** The status of a change that names the tag of what was read by an address. */
async function changed({ token }: FieldService, url: string, path: string) {
  const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' };
  const read = await fetch(`${url}${path}`, { headers });
  await read.text();
  const tag = read.headers.get('etag') ?? '';
  const answer = await fetch(`${url}${path}`, {
    method: 'PATCH',
    headers: { ...headers, 'content-type': 'application/json', 'if-match': tag },
    body: JSON.stringify({ first_name: 'Grace' }),
  });
  await answer.text();
  return { isWeak: tag.startsWith('W/'), status: answer.status };
}

async function aContact(service: FieldService): Promise<string> {
  const body = { unique_id: `tagged-${String(Date.now())}` };
  const { id } = (await call(service, 'POST', '/v2/partner/contacts', body)) as { id: string };
  return `/v2/partner/contacts/${id}`;
}

const numberIn = (line?: string) =>
  line === undefined ? undefined : /\d+(\.\d+)+/.exec(line)?.[0];
const nginxVersion = () => numberIn(versionOf('nginx', ['-v']));
const haproxyVersion = () => numberIn(versionOf('haproxy', ['-v']));

export const stories: readonly Story[] = [
  {
    program: 'nginx',
    story: 'stands in front with gzip and buffers: an upload in chunks, lists, a download',
    expects: 'what comes without it',
    prepare: nginxVersion,
    run: (service) => behind(service, 'nginx', (url) => use(service, url)),
  },
  {
    program: 'nginx',
    story: 'makes tags weak with gzip, and a client sends one with a change',
    expects: '412, as docs/clients.md says; nothing is changed by mistake',
    prepare: nginxVersion,
    run: (service) =>
      behind(service, 'nginx', async (url) => {
        const found = await changed(service, url, await aContact(service));
        expectSame('a change with a weak tag', found, { isWeak: true, status: 412 });
      }),
  },
  {
    program: 'HAProxy',
    story: 'stands in front and probes ten times a second: an upload in chunks, lists, a download',
    expects: 'what comes without it',
    prepare: haproxyVersion,
    run: (service) => behind(service, 'haproxy', (url) => use(service, url)),
  },
  {
    program: 'HAProxy',
    story: 'passes a change with the tag of what was read',
    expects: '200',
    prepare: haproxyVersion,
    run: (service) =>
      behind(service, 'haproxy', async (url) => {
        const found = await changed(service, url, await aContact(service));
        expectSame('a change with its tag', found, { isWeak: false, status: 200 });
      }),
  },
];
