import type { Sql } from '../../../platform/database/sql.ts';
import { namesOf } from '../../file-sources/rules.ts';
import { signalJob } from '../../../platform/jobs/queries.ts';
import { fileFetchJob } from '../../../../workflows/jobs.ts';
import type { Failure } from '../upload-status.ts';
import { formatOfName } from '../file-names.ts';
import type { FileNews } from '../file-news.ts';
import { failures } from './failure.ts';
import { countOpenFetches, insertFetch, isKnown, listSources, lockFetches } from './queries.ts';
import { fetchLimits, hasUser, maxWaitingFetches, sourceFor } from './rules.ts';

/**
 * Begins to fetch a file in the caller's transaction, once for each version of it. Returns false if
 * no source of the team matches it, and a failure if it will not be fetched.
 */
export async function beginFetch(
  sql: Sql,
  teamId: string,
  deliveryId: string,
  news: FileNews,
): Promise<boolean | Failure> {
  const { serverId, username, completedAt, sha256 } = news;
  const sources = await listSources(sql, teamId, serverId);
  if (!sources.some((source) => hasUser(source, username))) return false;
  const names = namesOf(news.path);
  if (!names) return notAllowed;
  const source = sourceFor(sources, username, names);
  if (!source) return false;
  const name = names.at(-1) ?? '';
  // A callback is about a whole file: a name that is temporary in the drop is final here.
  if (name.length > 200 || !formatOfName(name)) {
    return failures.wrongType('Files are .csv or .ndjson.').failure;
  }
  const { fileBytes } = fetchLimits;
  if ((news.sizeBytes ?? 0) > fileBytes) return failures.tooLarge(fileBytes).failure;
  await lockFetches(sql, teamId);
  const version = { sourceId: source.id, path: `/${names.join('/')}`, completedAt };
  if (await isKnown(sql, teamId, version)) return true;
  if ((await countOpenFetches(sql, teamId)) >= maxWaitingFetches) return tooMany;
  const about = { deliveryId, sha256: sha256?.toLowerCase() ?? null };
  await signalJob(sql, fileFetchJob, await insertFetch(sql, teamId, version, about), teamId);
  return true;
}

const notAllowed = {
  code: 'path_not_allowed',
  detail: 'The path has `.`, `..`, backslashes or control characters, or is too long.',
};
const tooMany = {
  code: 'too_many_operations',
  detail: `${String(maxWaitingFetches)} files of the team wait to be fetched already.`,
};
