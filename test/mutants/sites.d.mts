export interface Site {
  /** file:line */
  id: string;
  at: number;
  found: string;
  switched: string;
}
export function findSites(path: string, text: string): Site[];
