import type { SettingsReader } from './settings-reader.ts';

export interface KeysConfig {
  /** JSON text of the keys, or the file that contains them. */
  keys: string | undefined;
  keysFile: string | undefined;
}

export function readKeys({ development, problems, text }: SettingsReader): KeysConfig {
  const config = { keys: text('ONWARD_KEYS'), keysFile: text('ONWARD_KEYS_FILE') };
  if (!development && config.keys === undefined && config.keysFile === undefined) {
    problems.push(
      'ONWARD_KEYS_FILE is required: make one with `npm run admin -- keys init --file keys.json`',
    );
  }
  return config;
}
