import { existsSync } from 'node:fs';
import { loadKeyring } from '../../platform/auth/key-source.ts';
import { completeKeyFile, newKeyFile, openKeyring } from '../../platform/auth/keyring.ts';
import type { Keyring } from '../../platform/auth/keyring.ts';
import type { Config } from '../../platform/config.ts';
import { LocalFailure } from '../../local/local-failure.ts';
import { readOrMakePrivate, writePrivate } from '../../local/private-file.ts';
import type { DataDirectory } from '../data-directory.ts';

/** The configured keys, else those of the data directory, made on the first start. */
export async function openKeys(config: Config, directory: DataDirectory): Promise<Keyring> {
  if (config.keys !== undefined || config.keysFile !== undefined) return loadKeyring(config);
  const { keys, demo } = directory;
  // The demo file is the last thing that a first start writes.
  if (!existsSync(keys) && existsSync(demo)) {
    throw new LocalFailure(
      `${keys} is missing. Without it, the database's secrets cannot be opened. Put it back, or start over with \`npm run reset -- --yes\`.`,
    );
  }
  const text = await readOrMakePrivate(keys, () => JSON.stringify(newKeyFile(), undefined, 2));
  const file = completeKeyFile(text);
  const complete = JSON.stringify(file, undefined, 2);
  // The directory may be that of an earlier version, which had fewer lists.
  if (complete !== text) await writePrivate(keys, complete);
  return openKeyring(file);
}
