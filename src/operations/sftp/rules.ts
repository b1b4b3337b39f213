/** Rules of the drop as pure functions: folders, names and purposes. ADR 42. */

export const purposes = ['contacts', 'accounts', 'objective_completions', 'mixed'] as const;
export type Purpose = (typeof purposes)[number];

/** A drop folder: what becomes of its files, and for which purpose credentials may use it. */
interface Folder {
  operationKind: string;
  purpose: Purpose;
}

export const folders = {
  contacts: { operationKind: 'contacts.bulk_upsert', purpose: 'contacts' },
  accounts: { operationKind: 'accounts.sync', purpose: 'accounts' },
  'objective-completions': {
    operationKind: 'objectives.complete',
    purpose: 'objective_completions',
  },
} as const satisfies Record<string, Folder>;

export type FolderName = keyof typeof folders;
type NamedFolder = readonly [FolderName, Folder];

const namedFolders: readonly NamedFolder[] = [
  ['contacts', folders.contacts],
  ['accounts', folders.accounts],
  ['objective-completions', folders['objective-completions']],
];

/** The drop folders that credentials of a purpose see. */
function foldersFor(purpose: Purpose): FolderName[] {
  return namedFolders.filter(([, folder]) => covers(purpose, folder)).map(([name]) => name);
}

/** Whether credentials of the purpose may start the operation. */
export function maySend(purpose: Purpose, operationKind: string): boolean {
  return namedFolders.some(
    ([, folder]) => folder.operationKind === operationKind && covers(purpose, folder),
  );
}

/** The folder of a purpose; undefined for a purpose with several folders. */
export function folderFor(purpose: Purpose | undefined): FolderName | undefined {
  return namedFolders.find(([, folder]) => folder.purpose === purpose)?.[0];
}

function covers(purpose: Purpose, folder: Folder): boolean {
  return purpose === 'mixed' || purpose === folder.purpose;
}

export const limits = {
  fileBytes: 200_000_000,
  /** Limit of one process. */
  connections: 250,
  /** Limit of one network in one process: an IPv4 address, or the /64 of an IPv6 address. */
  unauthenticatedConnections: 20,
  /** Limit of the credentials of one team in one process. */
  teamConnections: 50,
  /** Limit of one credential in one process. */
  credentialConnections: 10,
  /** Limit of one credential in one process. */
  sessions: 10,
  /** Limit of one session. */
  handles: 20,
  /** Names that a folder shows at most, the newest. */
  shown: 1_000,
  /** Refused files of a credential that are noted in an hour. */
  notedRefusals: 100,
  daysShown: 7,
} as const;

/** Where credentials are at home. */
export interface Home {
  teamId: string;
  username: string;
  purpose: Purpose;
}

/** The object at a path, relative to a home. */
export type ResolvedPath =
  | { kind: 'directory'; path: string; names: readonly string[] }
  | { kind: 'folder'; path: string; folder: FolderName }
  | { kind: 'upload'; path: string; folder: FolderName; name: string }
  | { kind: 'results'; path: string }
  | { kind: 'result'; path: string; name: string }
  | { kind: 'unknown'; path: string }
  /** Above the home, or in the home of others. */
  | { kind: 'foreign'; path: string };

const resultSuffix = '.result.csv';

/** The name of the result of an uploaded file. */
export function resultNameOf(uploadName: string): string {
  return `${uploadName}${resultSuffix}`;
}

/** The name of the uploaded file that a result is of; undefined for other names. */
export function uploadNameOf(resultName: string): string | undefined {
  if (!resultName.endsWith(resultSuffix)) return undefined;
  return resultName.slice(0, -resultSuffix.length);
}

/**
 * Resolves a path of a client. The home is the root, but its full name `/<team>/<username>` leads
 * to it as well, since that is what the credentials show.
 */
export function resolvePath(home: Home, given: string): ResolvedPath {
  const { parts, climbs } = normalized(given);
  const isFullName = parts[0] === home.teamId && parts[1] === home.username;
  const [top, folder, name, ...deeper] = isFullName ? parts.slice(2) : parts;
  const path = `/${(isFullName ? parts.slice(2) : parts).join('/')}`;
  if (climbs || (!isFullName && looksLikeHome(parts))) return { kind: 'foreign', path };
  const folderNames = foldersFor(home.purpose);
  if (top === undefined) return { kind: 'directory', path, names: ['in', 'out'] };
  if (top === 'out') {
    if (folder === undefined) return { kind: 'results', path };
    if (name === undefined) return { kind: 'result', path, name: folder };
  }
  if (top === 'in') {
    if (folder === undefined) return { kind: 'directory', path, names: folderNames };
    const known = folderNames.find((one) => one === folder);
    if (known !== undefined && name === undefined) return { kind: 'folder', path, folder: known };
    if (known !== undefined && name !== undefined && deeper.length === 0) {
      return { kind: 'upload', path, folder: known, name };
    }
  }
  return { kind: 'unknown', path };
}

/** The path as a client should see it: from the home, without dots. */
export function realPathOf(home: Home, given: string): string {
  const place = resolvePath(home, given);
  return place.kind === 'foreign' && normalized(given).climbs
    ? `/${normalized(given).parts.join('/')}`
    : place.path;
}

function normalized(given: string): { parts: string[]; climbs: boolean } {
  const parts: string[] = [];
  let climbs = false;
  for (const part of given.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) climbs = true;
  }
  return { parts, climbs };
}

function looksLikeHome([team = '', username = '']: readonly string[]): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(team) && /^do-/.test(username);
}
