import { join, resolve } from 'node:path';
import { buildGo, buildJava, installNode, installPython, versionIf } from '../programs.ts';
import { allActions, allKeyTypes, brokenOff } from './driver.ts';
import type { Action, Driver, Target } from './driver.ts';

// Libraries for others to write programs with, fetched from their registries.

const sources = resolve('test/field/sftp/programs');
const versions = {
  paramiko: '5.1.0',
  asyncssh: '2.24.1',
  'ssh2-sftp-client': '12.1.1',
  rclone: '1.76.0',
  'pkg/sftp': '1.13.12',
  sshj: '0.39.0',
  JSch: '2.28.8',
} as const;

const argumentsOf = (action: Action, target: Target): string[] => {
  const { port, username, key, local, folder, name, result, localResult } = target;
  return [action, String(port), username, key, local, folder, name, result, localResult];
};

const all = { keyTypes: allKeyTypes, actions: allActions };

const python = (library: 'paramiko' | 'asyncssh'): Driver => ({
  program: library,
  ...all,
  prepare: (directory) =>
    versionIf(versions[library], () => {
      installPython(join(directory, library), [`${library}==${versions[library]}`]);
    }),
  commands(action, target, directory) {
    const program = join(directory, library, 'bin', 'python3');
    return [
      { argv: [program, join(sources, 'story.py'), library, ...argumentsOf(action, target)] },
    ];
  },
});

const node: Driver = {
  program: 'ssh2-sftp-client',
  ...all,
  prepare: (directory) =>
    versionIf(versions['ssh2-sftp-client'], () => {
      const place = join(directory, 'ssh2-sftp-client');
      const packages = [`ssh2-sftp-client@${versions['ssh2-sftp-client']}`];
      installNode(place, packages, join(sources, 'story.mjs'));
    }),
  commands(action, target, directory) {
    const program = join(directory, 'ssh2-sftp-client', 'story.mjs');
    return [{ argv: [process.execPath, program, ...argumentsOf(action, target)] }];
  },
};

const rclone: Driver = {
  program: 'rclone',
  ...all,
  prepare: (directory) =>
    versionIf(versions.rclone, () => {
      const packages = [`github.com/rclone/rclone@v${versions.rclone}`];
      buildGo(join(directory, 'rclone'), join(sources, 'go', 'rclone'), packages);
    }),
  commands(action, target, directory) {
    const { port, username, key, local, folder, result, localResult } = target;
    const program = join(directory, 'rclone', 'program');
    const at = (path: string) =>
      `:sftp,host=127.0.0.1,port=${String(port)},user=${username},key_file=${key},shell_type=none:${path}`;
    const rcloneTo = (...args: string[]) => [
      ...[program, '--config', '/dev/null', '--retries', '1', '--low-level-retries', '2'],
      ...args,
    ];
    const copy = rcloneTo('copy', local, at(folder));
    switch (action) {
      case 'upload':
        return [{ argv: [...copy, '--inplace'] }];
      case 'rename':
        return [{ argv: copy }];
      case 'mkdir':
        return [{ argv: rcloneTo('mkdir', at(folder)) }, { argv: copy }];
      case 'interrupt':
        return [brokenOff([...copy, '--bwlimit', '100k']), { argv: copy }];
      case 'download':
        return [{ argv: rcloneTo('copyto', at(result), localResult) }];
    }
  },
};

const pkgSftp: Driver = {
  program: 'pkg/sftp of Go',
  ...all,
  prepare: (directory) =>
    versionIf(versions['pkg/sftp'], () => {
      const packages = [`github.com/pkg/sftp@v${versions['pkg/sftp']}`];
      buildGo(join(directory, 'pkgsftp'), join(sources, 'go', 'pkgsftp'), packages);
    }),
  commands: (action, target, directory) => [
    { argv: [join(directory, 'pkgsftp', 'program'), ...argumentsOf(action, target)] },
  ],
};

const javaPackages = [
  ['com.hierynomus', 'sshj', versions.sshj],
  ['com.github.mwiede', 'jsch', versions.JSch],
  ['org.slf4j', 'slf4j-nop', '2.0.16'],
] as const;

const java = (library: 'sshj' | 'JSch'): Driver => ({
  program: library,
  ...all,
  prepare: (directory) =>
    versionIf(versions[library], () => {
      buildJava(join(directory, 'java'), join(sources, 'Story.java'), javaPackages);
    }),
  commands(action, target, directory) {
    const place = join(directory, 'java');
    const path = `${join(place, 'classes')}:${join(place, 'libs')}/*`;
    const args = argumentsOf(action, target);
    return [{ argv: ['java', '-cp', path, 'Story', library.toLowerCase(), ...args] }];
  },
});

export const libraryDrivers: readonly Driver[] = [
  ...[python('paramiko'), python('asyncssh'), node, rclone, pkgSftp, java('sshj'), java('JSch')],
];
