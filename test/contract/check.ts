import type { Endpoint } from '../../src/platform/http/endpoint.ts';
import type { Neighbors } from './isolation.ts';

/** One promise of the contract about what keeps teams and scopes apart. */
export interface Check {
  title: string;
  /** The isolated subject. */
  about: 'teams' | 'scopes';
  appliesTo(endpoint: Endpoint): boolean;
  run(neighbors: Neighbors, endpoint: Endpoint): Promise<void>;
}
