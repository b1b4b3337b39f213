import { readFileSync } from 'node:fs';
import type { Config } from '../config.ts';
import { openKeyring, parseKeyFile } from './keyring.ts';
import type { Keyring } from './keyring.ts';

/** Opens the service's own keys from the environment or from the file that it names. */
export function loadKeyring({ keys, keysFile }: Pick<Config, 'keys' | 'keysFile'>): Keyring {
  if (keys !== undefined) return openKeyring(parseKeyFile(keys));
  if (keysFile !== undefined) return openKeyring(parseKeyFile(readFileSync(keysFile, 'utf8')));
  throw new Error('There are no keys: set ONWARD_KEYS_FILE, made by `npm run admin -- keys init`.');
}
