export interface Site {
  at: number;
  end: number;
  /** Counted from 1. */
  line: number;
  /** The function or constant that it stands in. */
  within: string;
  /** False where it has a form that cannot be switched off. */
  canSwitch: boolean;
}
export function findSites(path: string, text: string): Site[];
export function namesOf(path: string, sites: readonly Site[]): string[];
export function withSwitches(path: string, text: string): string;
export function isAskedInHandler(path: string, text: string): boolean;
/** The file that builds the statements of declared tables. */
export const tableBuilder: string;
/** The name of a statement of the builder for one table. */
export function ofTable(name: string, table: string): string;
