import { afterAll, beforeAll } from '@jest/globals';
import { startTestApi } from './api.ts';
import type { TestApi } from './api.ts';

/** As `startTestApi`, started before the tests of the file and stopped after them. */
export function useTestApi(...options: Parameters<typeof startTestApi>): TestApi {
  const api = {} as TestApi;
  beforeAll(async () => {
    Object.assign(api, await startTestApi(...options));
  });
  afterAll(() => api.stop());
  return api;
}
