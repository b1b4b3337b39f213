import type { Sql } from '../database/client.ts';
import type { Failure } from './fate.ts';
import { findByUsername } from './access/queries.ts';
import { noteTold } from './queries.ts';
import { placeOf } from './rules.ts';

/** What a callback says of a file that came to a server. */
export interface FileNews {
  serverId: string;
  username: string;
  path: string;
}

/**
 * A server whose files we can have. A managed one would fetch the file, keep it as an upload and let
 * it arrive (`arrive.ts`), once for a delivery.
 */
interface FileSource {
  /** Sees to it that the file is imported once. False when it is not the source's. */
  take(sql: Sql, teamId: string, deliveryId: string, news: FileNews): Promise<boolean>;
}

/** Its files are imported when they arrive: a callback about one only is linked to it. */
const ownDrop: FileSource = {
  async take(sql, teamId, deliveryId, { username, path }) {
    const credential = await findByUsername(sql, teamId, username);
    if (!credential) return false;
    const place = placeOf({ teamId, username, purpose: 'mixed' }, path);
    if (place.kind !== 'upload') return false;
    return noteTold(sql, teamId, credential.id, place.path, deliveryId);
  },
};

const sources: readonly FileSource[] = [ownDrop];

/** Follows the news of a file. Returns why it cannot be imported. DECISIONS 42. */
export async function noteFile(
  sql: Sql,
  teamId: string,
  deliveryId: string,
  news: FileNews,
): Promise<Failure | undefined> {
  for (const source of sources) {
    if (await source.take(sql, teamId, deliveryId, news)) return undefined;
  }
  return notReadable;
}

const notReadable = {
  code: 'source_not_readable',
  detail: 'We cannot read files of this server; let them be put into the drop of SFTP credentials.',
};
