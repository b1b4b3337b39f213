import type { Config } from '../../platform/config.ts';
import { findTemporalProgram, startTemporal } from '../../local/temporal.ts';
import { searchAttributeTypes } from '../../platform/temporal/search-attributes.ts';
import type { DataDirectory } from '../data-directory.ts';
import { say } from './progress.ts';

export interface LocalTemporal {
  /** host:port of gRPC. */
  address: string;
  uiUrl: string | undefined;
  stop(): Promise<void>;
}

/** The configured Temporal, else a local server, whose program is found or built first. */
export async function openTemporal(
  config: Config,
  directory: DataDirectory,
): Promise<LocalTemporal> {
  if (config.temporalAddress !== undefined) {
    const { temporalAddress: address, temporalUiUrl: uiUrl } = config;
    return { address, uiUrl, stop: () => Promise.resolve() };
  }
  const program = await findTemporalProgram({
    path: config.searchPath,
    cacheDirectory: config.cacheDirectory,
    onProgress: (line) => {
      say(`  ${line}`);
    },
  });
  return startTemporal({
    program,
    directory: directory.temporal,
    namespace: config.temporalNamespace,
    searchAttributes: searchAttributeTypes,
    onNotice: say,
  });
}
