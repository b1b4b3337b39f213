import { text } from './kinds.ts';
import { readGroup } from './setting.ts';
import type { ValuesOf } from './setting.ts';
import type { SettingsReader } from './settings-reader.ts';

export const keySettings = {
  keysFile: text('ONWARD_KEYS_FILE', {
    shown: {
      development: '`<data>/keys.json`, made on the first start',
      production: 'required, or `ONWARD_KEYS`',
    },
    meaning:
      'File made by `npm run admin -- keys init --file keys.json`: one list of keys for each purpose',
  }),
  keys: text('ONWARD_KEYS', {
    meaning: 'The JSON of `ONWARD_KEYS_FILE` as text; takes precedence over the file',
  }),
};

export type KeysConfig = ValuesOf<typeof keySettings>;

export function readKeys(reader: SettingsReader): KeysConfig {
  const config = readGroup(keySettings, reader);
  if (!reader.development && config.keys === undefined && config.keysFile === undefined) {
    reader.problems.push(
      'ONWARD_KEYS_FILE is required: make one with `npm run admin -- keys init --file keys.json`',
    );
  }
  return config;
}
