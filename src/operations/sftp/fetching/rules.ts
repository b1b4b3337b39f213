import { namesOf } from '../../file-sources/rules.ts';

/** Rules that select the source of a file and its remote path, as pure functions. ADR 42. */

/** Fields of a source that select its files. */
export interface Matching {
  server_username: string | null;
  server_path: string;
}

/** The source of a file: the one with the deepest folder, then the one for its user alone. */
export function sourceFor<Source extends Matching>(
  sources: readonly Source[],
  username: string,
  names: readonly string[],
): Source | undefined {
  const weight = ({ server_path, server_username }: Source) =>
    2 * (namesOf(server_path)?.length ?? 0) + (server_username === null ? 0 : 1);
  return sources
    .filter((source) => hasUser(source, username) && restOf(source, names) !== undefined)
    .sort((one, other) => weight(other) - weight(one))[0];
}

export function hasUser({ server_username }: Matching, username: string): boolean {
  return server_username === null || server_username === username;
}

/** The names below the base of a source; undefined where the file is not its own. */
function restOf({ server_path }: Matching, names: readonly string[]): string[] | undefined {
  const folder = namesOf(server_path) ?? [];
  const isBelow = names.length > folder.length && folder.every((name, at) => name === names[at]);
  return isBelow ? names.slice(folder.length) : undefined;
}

/** The names of a file on the host of its source; undefined where it may not be read. */
export function remoteNames(
  source: Matching & { base_path: string },
  path: string,
): string[] | undefined {
  const names = namesOf(path);
  const base = namesOf(source.base_path);
  const rest = names && restOf(source, names);
  return base && rest && [...base, ...rest];
}

export interface FetchLimits {
  /** From the connection to the first byte of the file. */
  openMs: number;
  /** Without a byte of the file. */
  idleMs: number;
  /** Duration of an attempt. */
  totalMs: number;
  fileBytes: number;
}

export const fetchLimits: FetchLimits = {
  openMs: 30_000,
  idleMs: 30_000,
  totalMs: 1_800_000,
  fileBytes: 200_000_000,
};

/** From the connection to the login, for a test of a source. */
export const testMs = 15_000;

/** Files of a team that are fetched at the same time. */
export const maxTeamFetches = 2;
/** Files of a team that wait to be fetched. */
export const maxWaitingFetches = 100;
/** Pause of a fetch whose team has reached its limit of fetches or runs. */
export const turnPauseSeconds = 10;
/** A worker that renews it no longer is lost. */
export const leaseSeconds = 30;
/** Workers that may take over one fetch: it may be the cause of their loss. */
export const maxClaims = 20;
