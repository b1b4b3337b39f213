import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { run } from '../../clients/client.ts';
import { call, listed } from '../service.ts';
import type { FieldService } from '../story.ts';
import type { Action, Command, Driver, KeyType, Target } from './driver.ts';

interface Upload {
  path: string;
  status: string;
  sha256?: string;
  batch_operation_id?: string;
  error?: { code: string };
}

const longMs = 60_000;

/** The files of a credential, once none of them is being imported. */
async function uploadsOf(service: FieldService, credentialId: string): Promise<readonly Upload[]> {
  const isBusy = ({ status }: Upload) => status === 'received' || status === 'processing';
  return listed<Upload>(
    service,
    `/v2/partner/sftp-uploads?filter[sftp_credential_id]=${credentialId}`,
    (uploads) => uploads.length > 0 && !uploads.some(isBusy),
  );
}

function runCommand({ argv: [program = '', ...args], isBrokenOff }: Command): void {
  if (isBrokenOff === true) spawnSync(program, args, { timeout: longMs });
  else run(program, args, { timeout: longMs });
}

/** Rows for a file of a size that takes a while where it is to be broken off. */
function contentOf(prefix: string, count: number): string {
  const rows = Array.from({ length: count }, (_, at) => {
    const id = `${prefix}-${String(at)}`;
    return `${id},${id}@example.com,${'x'.repeat(40)}\n`;
  });
  return `unique_id,email,first_name\n${rows.join('')}`;
}

function newKey(directory: string, type: KeyType): string {
  const key = join(directory, 'key');
  const bits = { ed25519: [], ecdsa: ['-b', '256'], rsa: ['-b', '3072'] }[type];
  run('ssh-keygen', ['-q', '-t', type, ...bits, '-N', '', '-C', 'field', '-f', key]);
  return key;
}

/** Uses a program once with new credentials, and checks what was imported of its file. */
export async function use(
  service: FieldService,
  driver: Driver,
  action: Action,
  keyType: KeyType,
): Promise<void> {
  const label = `${driver.program} ${action} ${keyType}`.toLowerCase().replaceAll(/\W+/g, '-');
  const directory = join(service.directory, 'stories', label);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const key = newKey(directory, keyType);
  const made = (await call(service, 'POST', '/v2/partner/sftp-credentials', {
    name: label,
    purpose: 'mixed',
    public_key: readFileSync(`${key}.pub`, 'utf8').trim(),
  })) as { id: string; username: string };
  try {
    const name = `${label}.csv`;
    const rows = action === 'interrupt' ? 6_000 : 50;
    const content = contentOf(`${label}-${String(Date.now())}`, rows);
    const target: Target = {
      ...{ port: service.sftpPort, username: made.username, key, directory, name },
      local: join(directory, name),
      folder: '/in/contacts',
      result: `/out/${name}.result.csv`,
      localResult: join(directory, 'result.csv'),
    };
    writeFileSync(target.local, content);
    const perform = (what: Action) => {
      driver.commands(what, target, service.directory).forEach(runCommand);
    };
    perform(action === 'download' ? 'upload' : action);
    await checkImport(service, made.id, target, content);
    if (action !== 'download') return;
    perform('download');
    const lines = existsSync(target.localResult)
      ? readFileSync(target.localResult, 'utf8').trim().split('\r\n').length
      : 0;
    if (lines !== rows + 1) throw new Error(`the result has ${String(lines)} lines`);
  } finally {
    await call(service, 'DELETE', `/v2/partner/sftp-credentials/${made.id}`);
  }
}

/** A file is imported once, as it is, under its own name. */
async function checkImport(
  service: FieldService,
  credentialId: string,
  { folder, name }: Target,
  content: string,
): Promise<void> {
  const uploads = await uploadsOf(service, credentialId);
  const imported = uploads.filter((upload) => upload.batch_operation_id);
  const [only, ...more] = imported;
  const sha256 = createHash('sha256').update(content).digest('hex');
  const isWhole = only?.sha256 === sha256 && only.status === 'processed';
  if (more.length > 0 || !isWhole || only.path !== `${folder}/${name}`) {
    throw new Error(`not imported once and whole: ${JSON.stringify(uploads)}`);
  }
}
