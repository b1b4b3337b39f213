import { LRUCache } from 'lru-cache';
import type { Sql } from '../../../platform/database/sql.ts';
import { findVersion } from './queries.ts';
import type { VersionContent } from './queries.ts';

/** Characters of JSON in the cache of a process. */
const maxCharacters = 32_000_000;

/** Cache of the most recently used versions of templates, which are immutable. */
export interface VersionCache {
  find(
    sql: Sql,
    teamId: string,
    templateId: string,
    version: number,
  ): Promise<VersionContent | undefined>;
}

export function createVersionCache(): VersionCache {
  const cache = new LRUCache<string, { content: VersionContent; size: number }>({
    maxSize: maxCharacters,
    sizeCalculation: ({ size }) => size,
  });
  return {
    async find(sql, teamId, templateId, version) {
      const key = `${teamId} ${templateId} ${String(version)}`;
      const known = cache.get(key);
      if (known) return known.content;
      const content = await findVersion(sql, teamId, templateId, version);
      if (content) cache.set(key, { content, size: JSON.stringify(content).length });
      return content;
    },
  };
}
