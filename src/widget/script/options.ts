import type { Credentials } from './client.ts';
import type { Words } from './words.ts';

/** Choices of the page that shows a journey. */
export interface Options extends Credentials {
  words?: Partial<Words>;
  /** Origin of the service, for a script that does not know its own address. */
  base?: string;
  /** Level of the title, from 1 to 4; 2 in a page of others, whose own heading comes first. */
  headingLevel?: number;
}
