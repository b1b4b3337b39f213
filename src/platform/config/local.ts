import { isLoopbackHost } from './hosts.ts';
import type { SettingsReader } from './settings-reader.ts';

/** Files and programs of `npm start` on one machine. */
export interface LocalConfig {
  cacheDirectory: string | undefined;
  /** Data of `npm start`, relative to the project. */
  dataDirectory: string;
  searchPath: string;
  /** Whether the port or the address of the API was chosen; else `npm start` may use another port. */
  hasGivenAddress: boolean;
  /** Whether pages on this machine act as the demo client without a sign-in. */
  signsInLocally: boolean;
  /** Whether the embedded database gets a team with made-up data. */
  hasSample: boolean;
}

export function readLocal(settings: SettingsReader): LocalConfig {
  const { text, flag } = settings;
  return {
    cacheDirectory: text('ONWARD_CACHE_DIR') ?? text('XDG_CACHE_HOME'),
    dataDirectory: text('ONWARD_DATA_DIR') ?? '.onward',
    searchPath: text('PATH') ?? '',
    hasGivenAddress: (text('PORT') ?? text('PUBLIC_BASE_URL')) !== undefined,
    signsInLocally: readSignIn(settings),
    hasSample: flag('SAMPLE_DATA', true),
  };
}

/** Everybody who reaches the address could act as the demo client. */
function readSignIn({ development, problems, text, flag }: SettingsReader): boolean {
  const isLocal = development && isLoopbackHost(text('HOST') ?? '127.0.0.1');
  const isOn = flag('LOCAL_SIGN_IN', isLocal);
  if (isOn && !isLocal) {
    problems.push('LOCAL_SIGN_IN=true needs `npm start` and a HOST of this machine: leave it out');
  }
  return isOn && isLocal;
}
