import { Type } from 'typebox';
import {
  Count,
  Id,
  IdList,
  Kebab,
  OneOf,
  Text,
  createBody,
  patchBody,
  resource,
} from '../../platform/schema/fields.ts';
import type { RowOf } from '../../platform/schema/fields.ts';
import type { ListDeclaration } from '../../platform/lists/declaration.ts';
import { maxBlocksUsed } from '../content-blocks/content-block.ts';

const kinds = ['welcome', 'step', 'form', 'checklist', 'widget', 'completion'] as const;

/** A page of the microsite that a template's recipients walk through. */
export const Page = resource('page', {
  template_id: Id(),
  name: Text(120),
  title: Type.Optional(Text(120, 'May hold Liquid')),
  path: Type.Optional(Kebab(80, 'Unique in the template')),
  kind: OneOf([...kinds]),
  position: Count('Order within the template, from 0'),
  objective_id: Type.Optional(Id('The objective that completing the page counts for')),
  content_block_ids: IdList(maxBlocksUsed, 'In the order in which they are shown'),
  completion_rule: OneOf(['viewed', 'cta_clicked', 'form_submitted', 'objective_completed']),
  requires_identity_challenge: Type.Boolean({
    description: 'Whether it is shown only to recipients who have proved who they are',
  }),
  widget_instance_id: Type.Optional(Id()),
  version: Count('Rises with every change of its content'),
});

export type PageRow = RowOf<typeof Page>;

const optionalFields = [
  'title',
  'path',
  'kind',
  'objective_id',
  'content_block_ids',
  'completion_rule',
  'requires_identity_challenge',
  'widget_instance_id',
] as const;

/** The fields that a client writes, except the position. */
export const writtenFields = ['name', ...optionalFields] as const;
export type PageContent = Pick<PageRow, (typeof writtenFields)[number]>;

/** A page before anything is written. */
export const blankPage: PageContent = {
  name: '',
  title: null,
  path: null,
  kind: 'step',
  objective_id: null,
  content_block_ids: [],
  completion_rule: 'viewed',
  requires_identity_challenge: false,
  widget_instance_id: null,
};

export const PageCreate = createBody(Page, ['name'], [...optionalFields, 'position']);
export const PagePatch = patchBody(Page, [...writtenFields, 'position']);

/** Storage of pages as steps of a template. */
export const pageSteps = {
  table: 'pages',
  type: 'page',
  list: 'page_ids',
  max: 50,
  jsonColumns: [],
  listed: 'true',
} as const;

export const pageFields: ListDeclaration['fields'] = {
  position: { type: 'integer', filter: true, sort: true },
  inserted_at: { type: 'timestamp', filter: true, sort: true },
  updated_at: { type: 'timestamp', filter: true, sort: true },
  name: { type: 'text', filter: true, sort: true },
  kind: { type: 'enum', values: kinds, filter: true },
  objective_id: { type: 'id', filter: true },
};
