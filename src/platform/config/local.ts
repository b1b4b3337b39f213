import { isLoopbackHost } from './hosts.ts';
import { addressSettings } from './service.ts';
import { developmentSwitch, flag, text } from './kinds.ts';
import { readGroup } from './setting.ts';
import type { ValuesOf } from './setting.ts';
import type { SettingsReader } from './settings-reader.ts';

export const localSettings = {
  dataDirectory: text('ONWARD_DATA_DIR', {
    default: '.onward',
    meaning:
      'Directory of the data, the keys and the demo client, relative to the project. A second one, with another `PORT`, can run at the same time',
  }),
  cacheDirectory: text('ONWARD_CACHE_DIR', {
    shown: {
      development: '`XDG_CACHE_HOME`, else `~/.cache`',
      production: '`XDG_CACHE_HOME`, else `~/.cache`',
    },
    meaning:
      'Directory of the Temporal program and the workflow bundles, which are in `onward/` below it',
  }),
  signsInLocally: flag('LOCAL_SIGN_IN', {
    default: false,
    development: true,
    shown: { development: '`true` on loopback' },
    meaning:
      'Lets the pages that `npm start` serves to browsers on this machine act as the demo client without a sign-in. Every program of this machine can then get its token; refused where `HOST` is not an address of this machine',
  }),
  hasSample: flag('SAMPLE_DATA', {
    default: true,
    meaning:
      'Loads a team with a year of made-up data into the embedded database of `npm start`, for `/insights`; `npm run seed -- --remove-sample` removes it permanently',
  }),
  checkResponses: developmentSwitch('CHECK_RESPONSES', {
    risk: {
      opens: 'an answer that does not match its schema becomes a 500, and each costs more time',
      isRefused: false,
    },
    meaning: 'Checks every answer against its schema; a mismatch is a 500',
  }),
  undeclaredErrorsFile: text('UNDECLARED_ERRORS_FILE', {
    meaning:
      'File to which error codes are appended that an operation answers without declaring them, for tests',
  }),
  xdgCacheHome: text('XDG_CACHE_HOME', {
    shown: {
      development: '`.cache` of the home directory',
      production: '`.cache` of the home directory',
    },
    meaning: 'Directory of caches where `ONWARD_CACHE_DIR` is not set',
  }),
  searchPath: text('PATH', {
    meaning: 'Directories in which `npm start` searches for a Temporal program',
  }),
};

/** Files and programs of `npm start` on one machine, and checks of tests. */
export interface LocalConfig extends Omit<ValuesOf<typeof localSettings>, 'xdgCacheHome'> {
  searchPath: string;
  /** Whether the port or the address of the API was chosen; else `npm start` may use another port. */
  hasGivenAddress: boolean;
}

export function readLocal(reader: SettingsReader): LocalConfig {
  const { xdgCacheHome, ...given } = readGroup(localSettings, reader);
  const { port, publicBaseUrl } = addressSettings;
  return {
    ...given,
    cacheDirectory: given.cacheDirectory ?? xdgCacheHome,
    searchPath: given.searchPath ?? '',
    hasGivenAddress: (reader.text(port.name) ?? reader.text(publicBaseUrl.name)) !== undefined,
    signsInLocally: checkSignIn(reader, given.signsInLocally),
  };
}

/** Everybody who reaches the address could act as the demo client. */
function checkSignIn(reader: SettingsReader, isOn: boolean): boolean {
  const { development, problems, text: given } = reader;
  const isLocal = development && isLoopbackHost(addressSettings.host.read(reader));
  if (isOn && !isLocal && given(localSettings.signsInLocally.name) !== undefined) {
    problems.push('LOCAL_SIGN_IN=true needs `npm start` and a HOST of this machine: leave it out');
  }
  return isOn && isLocal;
}
