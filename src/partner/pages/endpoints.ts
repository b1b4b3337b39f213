import { endpoint } from '../../http/endpoint.ts';
import { fail } from '../../http/errors.ts';
import { listEndpoint } from '../../listing/list-endpoint.ts';
import { lockForEdit, recordTemplateEvent } from '../templates/lifecycle.ts';
import { requireTemplate, touchTemplate } from '../templates/queries.ts';
import { Page, PageCreate, maxPages, pageKinds } from './page.ts';
import { insertPage, templatePageSource } from './queries.ts';

const tag = 'Pages';
const path = '/v2/partner/templates/{id}/pages';

export const listTemplatePages = listEndpoint({
  id: 'listTemplatePages',
  path,
  summary: 'List the pages of a template',
  tag,
  scope: 'partner:pages:read',
  item: Page,
  fields: {
    position: { type: 'integer', filter: true, sort: true },
    inserted_at: { type: 'timestamp', filter: true, sort: true },
    updated_at: { type: 'timestamp', filter: true, sort: true },
    name: { type: 'text', filter: true, sort: true },
    kind: { type: 'enum', values: pageKinds, filter: true },
  },
  defaultSort: 'position',
  async source({ sql, teamId, params: { id = '' } }) {
    await requireTemplate(sql, teamId, id);
    return templatePageSource(teamId, id);
  },
});

export const createTemplatePage = endpoint({
  id: 'createTemplatePage',
  method: 'POST',
  path,
  summary: 'Add a page to a template, last or at a position',
  tag,
  scope: 'partner:pages:write',
  rateClass: 'write',
  bodyLimitBytes: 2_000_000,
  body: PageCreate,
  status: 201,
  response: Page,
  async handle({ sql, teamId, params: { id }, body }) {
    const template = await lockForEdit(sql, teamId, id, 'page_ids');
    const count = template.page_ids.length;
    if (count >= maxPages) {
      throw fail('quota_exceeded', {
        detail: `A template has at most ${String(maxPages)} pages.`,
        meta: { quota: 'template_pages', limit: maxPages },
      });
    }
    const { name, title = null, kind = 'step', position = count } = body;
    const page = { name, title, kind };
    const created = await insertPage(sql, teamId, id, page, Math.min(position, count));
    const changed = await touchTemplate(sql, teamId, id);
    await recordTemplateEvent(sql, 'template.updated', changed, template);
    return created;
  },
});

export const pageEndpoints = [listTemplatePages, createTemplatePage];
