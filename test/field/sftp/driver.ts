/** One command of a program. */
export interface Command {
  argv: readonly string[];
  /** It is broken off, and ends with an error or none. */
  isBrokenOff?: boolean;
}

/** Where a program finds the drop, and the files of a story. */
export interface Target {
  port: number;
  username: string;
  /** File of the private key; the public one ends in `.pub`. */
  key: string;
  /** Folder of the story alone. */
  directory: string;
  /** The file to send, which is called `name`. */
  local: string;
  name: string;
  /** Its folder in the drop. */
  folder: string;
  /** Result in the drop, and where it is stored. */
  result: string;
  localResult: string;
}

export const actions = {
  upload: 'sends a file under its final name',
  rename: 'sends a file under a temporary name, renames it, and looks at its size',
  mkdir: 'makes the folder, which is there, then sends the file',
  interrupt: 'breaks off under a temporary name, then sends the file again',
  download: 'reads the result of a file',
} as const;

export type Action = keyof typeof actions;
export type KeyType = 'ed25519' | 'ecdsa' | 'rsa';

/** A program, and how it is used for each action that it has. */
export interface Driver {
  program: string;
  keyTypes: readonly KeyType[];
  actions: readonly Action[];
  /** Installs it; returns its version, or undefined where it cannot be had. */
  prepare(directory: string): string | undefined;
  commands(action: Action, target: Target, directory: string): readonly Command[];
}

export const allKeyTypes: readonly KeyType[] = ['ed25519', 'ecdsa', 'rsa'];
export const allActions: readonly Action[] = ['upload', 'rename', 'mkdir', 'interrupt', 'download'];

/** Breaks a command off in its midst, as ^C does. */
export const brokenOff = (argv: readonly string[]): Command => ({
  argv: ['timeout', '--signal=INT', '--kill-after=20', '2', ...argv],
  isBrokenOff: true,
});
