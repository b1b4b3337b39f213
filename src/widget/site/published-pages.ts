import { LRUCache } from 'lru-cache';
import type { Values } from '../../platform/content/liquid.ts';
import type { Services } from '../../platform/http/services.ts';
import type { Snapshot } from '../../campaigns/landing-pages/queries.ts';
import { penForBlocks } from '../../campaigns/rendering/blocks.ts';
import type { Pen } from '../../campaigns/rendering/blocks.ts';
import { valuesFor } from '../../campaigns/rendering/audience.ts';
import { findPublishedPage, readVersion } from './queries.ts';
import type { PublishedPage } from './queries.ts';

/** A published page as visitors get it. */
export interface OpenedPage {
  page: PublishedPage;
  content: Snapshot;
  values: Values;
  pen: Pen;
}

type Opened = Omit<OpenedPage, 'page'> & { size: number };

/** Limit of the cached pages of a process, in characters, with the parsed content. */
const keptSize = 20_000_000;
/** A page may show the time. */
const keptMs = 60_000;

// By version: each visit looks up the published one, so that no visitor sees an older one.
const opened = new LRUCache<string, Opened>({
  maxSize: keptSize,
  sizeCalculation: ({ size }) => 2 * size + 1_000,
  ttl: keptMs,
});

/** The page under a slug; undefined where none is published. */
export async function openPublishedPage(
  { database, config }: Services,
  teamId: string,
  slug: string,
): Promise<OpenedPage | undefined> {
  const page = await database.read((sql) => findPublishedPage(sql, teamId, slug), {
    isPipelined: true,
  });
  if (!page) return undefined;
  const url = `${config.publicBaseUrl}/p/${teamId}/${slug}`;
  const key = JSON.stringify([url, page.id, page.version, page.team]);
  const known = opened.get(key);
  if (known) return { page, ...known };
  const version = await database.read((sql) => readVersion(sql, teamId, page), {
    isPipelined: true,
  });
  if (!version) return undefined;
  const { content, size } = version;
  const { title } = content;
  const surroundings = { landing_page: { title, url } };
  const values = valuesFor({ team: page.team, locale: content.locale, surroundings });
  const pen = await penForBlocks(content.blocks, values);
  const made = { content, size, values, pen };
  opened.set(key, made);
  return { page, ...made };
}
