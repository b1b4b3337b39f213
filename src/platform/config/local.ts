import type { SettingsReader } from './settings-reader.ts';

/** Files and programs of `npm start` on one machine. */
export interface LocalConfig {
  cacheDirectory: string | undefined;
  /** Data of `npm start`, relative to the project. */
  dataDirectory: string;
  searchPath: string;
}

export function readLocal({ text }: SettingsReader): LocalConfig {
  return {
    cacheDirectory: text('ONWARD_CACHE_DIR') ?? text('XDG_CACHE_HOME'),
    dataDirectory: text('ONWARD_DATA_DIR') ?? '.onward',
    searchPath: text('PATH') ?? '',
  };
}
