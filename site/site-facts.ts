import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface MenuItem {
  text: string;
  link?: string;
  collapsed?: boolean;
  items?: MenuItem[];
}

/** Facts of the interface that the generator needs besides the pages. */
export interface SiteFacts {
  /** Address of each operation without the base of the site, by its id in lower case. */
  operations: Readonly<Record<string, string>>;
  /** Menus of the reference and of the events. */
  reference: MenuItem[];
  events: MenuItem[];
}

export const factsName = 'site-facts.json';

export function readFacts(folder: string): SiteFacts {
  const facts: unknown = JSON.parse(readFileSync(join(folder, factsName), 'utf8'));
  if (!isFacts(facts)) throw new Error(`${factsName} was written by another version`);
  return facts;
}

const isFacts = (value: unknown): value is SiteFacts =>
  typeof value === 'object' && value !== null && 'operations' in value && 'events' in value;
