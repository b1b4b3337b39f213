import { Type } from 'typebox';
import {
  Count,
  IdList,
  Kebab,
  OneOf,
  Text,
  Timestamp,
  Uri,
  createBody,
  patchBody,
  resource,
} from '../../platform/schema/fields.ts';
import type { RowOf } from '../../platform/schema/fields.ts';
import type { ListDeclaration } from '../../platform/lists/declaration.ts';
import { maxBlocksUsed } from '../content-blocks/content-block.ts';
import { landingPageStatuses } from './rules.ts';

const seo = {
  title: Type.Optional(Text(120)),
  description: Type.Optional(Text(300)),
  image_url: Type.Optional(Uri()),
};

/** A public page made of content blocks; visitors see the snapshot that was published last. */
export const LandingPage = resource('landing_page', {
  name: Text(120),
  slug: Kebab(80, 'Part of the url immediately; unique among the pages that are not archived'),
  status: OneOf([...landingPageStatuses]),
  title: Type.Optional(Text(120, 'Title that visitors see; the name of the page if absent')),
  description: Type.Optional(Text(300)),
  locale: Type.Optional(Type.String({ format: 'locale', maxLength: 35, description: 'BCP 47' })),
  theme: Type.Record(
    Type.String({ pattern: '^[a-z][a-z0-9_]{0,39}$' }),
    Type.String({ pattern: '^[\\w#%.,()/ -]{1,120}$' }),
    {
      maxProperties: 50,
      additionalProperties: false,
      description:
        'Look of the page: primary_color, on_primary_color, link_color, text_color, ' +
        'background_color, focus_color, font_family and radius, as values of CSS',
    },
  ),
  seo: Type.Object({
    ...seo,
    noindex: Type.Boolean({ description: 'Whether search engines leave it out; the default' }),
  }),
  content_block_ids: IdList(maxBlocksUsed, 'In the order in which they are shown'),
  url: Type.String({ description: 'Where visitors find what is published' }),
  version: Count('Number of the newest snapshot; 0 before the first'),
  has_unpublished_changes: Type.Boolean({
    description: 'Whether the page or a block of it has changed since the newest snapshot',
  }),
  published_at: Type.Optional(Timestamp('Latest publication')),
  archived_at: Type.Optional(Timestamp('Only while archived')),
});

export type LandingPageRow = RowOf<typeof LandingPage>;

const Written = Type.Object({
  ...LandingPage.properties,
  seo: Type.Object(
    { ...seo, noindex: Type.Optional(Type.Boolean()) },
    { additionalProperties: false },
  ),
});

const optional = ['title', 'description', 'locale', 'theme', 'seo', 'content_block_ids'] as const;

export const LandingPageCreate = createBody(Written, ['name', 'slug'], optional);
export const LandingPagePatch = patchBody(Written, ['name', 'slug', ...optional]);

/** Landing pages at most of a team. */
export const maxLandingPages = 5_000;

export const landingPageFields: ListDeclaration['fields'] = {
  inserted_at: { type: 'timestamp', filter: true, sort: true },
  updated_at: { type: 'timestamp', filter: true, sort: true },
  name: { type: 'text', filter: true, sort: true },
  published_at: { type: 'timestamp', filter: true, sort: true, nullable: true },
  status: { type: 'enum', values: landingPageStatuses, filter: true },
  slug: { type: 'text', filter: true },
};
