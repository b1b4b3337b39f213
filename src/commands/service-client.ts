import { Onward } from '../../sdk/typescript/src/index.ts';
import type { DemoFile } from './demo-file.ts';

/** The SDK as the demo client, as a partner would have it. */
export function connectAs({ base_url, client_id, client_secret }: DemoFile): Onward {
  return new Onward({
    baseUrl: base_url,
    clientId: client_id,
    clientSecret: client_secret,
    // A service that does not run is reported within a second or two.
    maxRetries: 2,
  });
}
