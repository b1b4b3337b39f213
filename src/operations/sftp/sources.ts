import type { Sql } from '../../platform/database/sql.ts';
import type { Failure } from './upload-status.ts';
import type { FileNews } from './file-news.ts';
import { findByUsername } from './access/queries.ts';
import { beginFetch } from './fetching/begin.ts';
import { linkCallback } from './queries.ts';
import { resolvePath } from './rules.ts';

/** Servers whose files can be imported. */
interface FileServers {
  /**
   * Imports the file once. False if it is on none of the servers; a failure if it is there and
   * will not be imported.
   */
  take(sql: Sql, teamId: string, deliveryId: string, news: FileNews): Promise<boolean | Failure>;
}

/** Its files are imported when they arrive: a callback about one only is linked to it. */
const ownDrop: FileServers = {
  async take(sql, teamId, deliveryId, { username, path }) {
    const credential = await findByUsername(sql, teamId, username);
    if (!credential) return false;
    const place = resolvePath({ teamId, username, purpose: 'mixed' }, path);
    if (place.kind !== 'upload') return false;
    return linkCallback(sql, teamId, credential.id, place.path, deliveryId);
  },
};

/** Servers of the team's file sources: its file is fetched. */
const managed: FileServers = { take: beginFetch };

const servers: readonly FileServers[] = [ownDrop, managed];

/** Follows the news of a file. Returns why it cannot be imported. ADR 42. */
export async function recordFile(
  sql: Sql,
  teamId: string,
  deliveryId: string,
  news: FileNews,
): Promise<Failure | undefined> {
  for (const server of servers) {
    const taken = await server.take(sql, teamId, deliveryId, news);
    if (taken === true) return undefined;
    if (taken !== false) return taken;
  }
  return notReadable;
}

const notReadable = {
  code: 'source_not_readable',
  detail:
    'No active file source of the team answers for this server, user and path. Create one, or have ' +
    'the files put into the drop of SFTP credentials, then replay the delivery.',
};
