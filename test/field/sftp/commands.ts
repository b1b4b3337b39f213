import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { versionOf } from '../programs.ts';
import { allActions, allKeyTypes, brokenOff } from './driver.ts';
import type { Action, Driver, Target } from './driver.ts';

// Programs of this machine, as they are installed.

const sshOptions = (key: string) => [
  ...['-F', '/dev/null', '-i', key, '-o', 'IdentitiesOnly=yes', '-o', 'BatchMode=yes'],
  ...['-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null'],
  ...['-o', 'LogLevel=ERROR'],
];

/** Writes the commands that a program reads from a file. */
function scriptOf({ directory }: Target, name: string, lines: readonly string[]): string {
  const file = join(directory, name);
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

function linesFor(action: Action, target: Target): string[] {
  const { local, name, folder, result, localResult } = target;
  switch (action) {
    case 'upload':
      return [`put -p ${local} ${folder}/`];
    case 'mkdir':
      return ['cd /', `-mkdir ${folder}`, `put ${local} ${folder}/${name}`];
    case 'interrupt':
    case 'rename':
      return [
        `put ${local} ${folder}/${name}.part`,
        `rename ${folder}/${name}.part ${folder}/${name}`,
        `ls -l ${folder}/${name}`,
      ];
    case 'download':
      return [`get ${result} ${localResult}`];
  }
}

const openSsh: Driver = {
  program: 'OpenSSH sftp',
  keyTypes: allKeyTypes,
  actions: allActions,
  prepare: () => versionOf('sftp', ['-V']) && versionOf('ssh', ['-V']),
  commands(action, target) {
    const { port, username, key } = target;
    const sftp = (name: string, lines: readonly string[], ...more: string[]) => [
      ...['sftp', ...sshOptions(key), '-P', String(port), ...more],
      ...['-b', scriptOf(target, name, lines), `${username}@127.0.0.1`],
    ];
    const lines = linesFor(action, target);
    const whole = { argv: sftp('batch', lines) };
    if (action !== 'interrupt') return [whole];
    return [brokenOff(sftp('broken', lines.slice(0, 1), '-l', '800')), whole];
  },
};

const scp: Driver = {
  program: 'OpenSSH scp',
  keyTypes: ['ed25519'],
  actions: ['upload', 'download'],
  prepare: () => versionOf('ssh', ['-V']),
  commands(action, { port, username, key, local, folder, result, localResult }) {
    const scpTo = (...args: string[]) => ({
      argv: ['scp', ...sshOptions(key), '-P', String(port), ...args],
    });
    const at = (path: string) => `${username}@127.0.0.1:${path}`;
    if (action === 'download') return [scpTo(at(result), localResult)];
    return [scpTo('-p', local, at(`${folder}/`))];
  },
};

const lftp: Driver = {
  program: 'lftp',
  keyTypes: allKeyTypes,
  actions: allActions,
  prepare: () => versionOf('lftp', ['--version']),
  commands(action, { port, username, key, local, folder, result, localResult }) {
    const ssh = ['ssh', '-a', '-x', ...sshOptions(key), '-p', String(port)].join(' ');
    const lftpDo = (...lines: string[]) => [
      ...['lftp', '--norc', '-c'],
      [
        `set sftp:connect-program "${ssh}"; set net:max-retries 2; set cmd:fail-exit yes`,
        `open -u ${username}, sftp://127.0.0.1`,
        ...lines,
      ].join('; '),
    ];
    const put = `put -O ${folder} ${local}`;
    const temporary = 'set xfer:use-temp-file yes; set xfer:clobber yes';
    switch (action) {
      case 'upload':
        return [{ argv: lftpDo(put) }];
      case 'rename':
        return [{ argv: lftpDo(temporary, put) }];
      case 'mkdir':
        return [{ argv: lftpDo(`mkdir -pf ${folder}`, put) }];
      case 'interrupt':
        return [
          brokenOff(lftpDo('set net:limit-rate 100000', temporary, put)),
          { argv: lftpDo(temporary, put) },
        ];
      case 'download':
        return [{ argv: lftpDo(`get ${result} -o ${localResult}`) }];
    }
  },
};

const curl: Driver = {
  program: 'curl with libssh2',
  // libssh2 before 1.11 signs with SHA-1 for RSA keys.
  keyTypes: ['ed25519', 'ecdsa'],
  actions: allActions,
  prepare: () => {
    const version = versionOf('curl', ['--version']);
    return version?.includes('libssh2') === true ? version.split(' (')[0] : undefined;
  },
  commands(action, { port, username, key, local, name, folder, result, localResult }) {
    const curlTo = (path: string, ...args: string[]) => [
      ...['curl', '--silent', '--show-error', '--insecure', '--user', `${username}:`],
      ...['--key', key, '--pubkey', `${key}.pub`, ...args],
      `sftp://127.0.0.1:${String(port)}${path}`,
    ];
    const path = `${folder}/${name}`;
    const put = ['--upload-file', local];
    const renamed = curlTo(`${path}.part`, ...put, '-Q', `-rename ${path}.part ${path}`);
    switch (action) {
      case 'upload':
        return [{ argv: curlTo(path, ...put) }];
      case 'mkdir':
        return [{ argv: curlTo(path, '--ftp-create-dirs', ...put) }];
      case 'rename':
        return [{ argv: renamed }];
      case 'interrupt':
        return [
          brokenOff(curlTo(`${path}.part`, ...put, '--limit-rate', '100k')),
          { argv: renamed },
        ];
      case 'download':
        return [{ argv: curlTo(result, '--output', localResult) }];
    }
  },
};

const psftp: Driver = {
  program: 'PuTTY psftp',
  keyTypes: allKeyTypes,
  actions: ['upload', 'rename', 'mkdir', 'download'],
  prepare: () => versionOf('puttygen', ['--version']) && versionOf('psftp', ['--version']),
  commands(action, target) {
    const { port, username, key, directory } = target;
    const lines = linesFor(action, target).map((line) =>
      line
        .replace(/^put -p /, 'put ')
        .replace(/^-/, '')
        .replace(/ (\S+)\/$/, ` $1/${target.name}`),
    );
    // It ends with the first error, as of `mkdir`, unless it is asked to go on.
    const options = action === 'mkdir' ? ['-be'] : [];
    const script = scriptOf(
      target,
      'psftp-batch',
      lines.map((line) => line.replace(/^ls -l (.*)\/[^/]+$/, 'ls $1').replace(/^rename/, 'mv')),
    );
    const ppk = join(directory, 'key.ppk');
    const fingerprint = join(directory, 'host-key');
    return [
      { argv: ['puttygen', key, '-O', 'private', '-o', ppk] },
      {
        argv: [
          ...['bash', '-euc'],
          // It has no way to accept a key unseen: the fingerprint comes from ssh-keyscan.
          [
            `ssh-keyscan -t ed25519 -p ${String(port)} 127.0.0.1 2>/dev/null | ssh-keygen -lf - | cut -d' ' -f2 > ${fingerprint}`,
            `psftp -batch ${options.join(' ')} -P ${String(port)} -i ${ppk} -hostkey "$(cat ${fingerprint})" -b ${script} ${username}@127.0.0.1`,
          ].join('\n'),
        ],
      },
    ];
  },
};

export const commandDrivers: readonly Driver[] = [openSsh, scp, lftp, curl, psftp];
