import type { SettingsReader } from './settings-reader.ts';

export interface TemporalConfig {
  /** host:port; undefined means a local server (only `npm start`). */
  temporalAddress: string | undefined;
  temporalNamespace: string;
  temporalApiKey: string | undefined;
  temporalUiUrl: string | undefined;
}

export function readTemporal({ text, url }: SettingsReader): TemporalConfig {
  return {
    temporalAddress: text('TEMPORAL_ADDRESS'),
    temporalNamespace: text('TEMPORAL_NAMESPACE') ?? 'default',
    temporalApiKey: text('TEMPORAL_API_KEY'),
    temporalUiUrl: url('TEMPORAL_UI_URL', ['http:', 'https:']),
  };
}
