import { Type } from 'typebox';
import type { Sql } from '../../platform/database/sql.ts';
import { changedFields } from '../../platform/events/record.ts';
import { writeFields } from '../../platform/schema/fields.ts';
import { endpoint } from '../../platform/http/endpoint.ts';
import { fail, failAll } from '../../platform/http/errors.ts';
import type { Problem } from '../../platform/http/errors.ts';
import { listEndpoint } from '../../platform/lists/list-endpoint.ts';
import { findBlocks } from '../content-blocks/queries.ts';
import { unknownObjectives } from '../objectives/queries.ts';
import { renderPage } from '../rendering/page.ts';
import { sampleAddresses } from '../rendering/addresses.ts';
import { PreviewFor, contactOf, letterheadOf, previewFor } from '../rendering/preview.ts';
import { sourceProblems, variablesIn } from '../rendering/sources.ts';
import { blockProblems } from '../rendering/use-of-blocks.ts';
import { unknownVariables } from '../rendering/variables.ts';
import { requireTemplate } from '../templates/queries.ts';
import type { TemplateRow } from '../templates/queries.ts';
import {
  addStep,
  changeStep,
  lockForStep,
  lockStep,
  placeFor,
  removeStep,
  stepIncludes,
} from '../templates/steps/edit.ts';
import { listSteps, requireStep, stepSource } from '../templates/steps/queries.ts';
import {
  Page,
  PageCreate,
  PagePatch,
  blankPage,
  pageFields,
  pageSteps,
  writtenFields,
} from './page.ts';
import type { PageContent, PageRow } from './page.ts';

const tag = 'Pages';
const path = '/v2/partner/pages';
const ofTemplate = '/v2/partner/templates/{id}/pages';
const readScope = 'partner:pages:read';
const writeScope = 'partner:pages:write';
const bodyLimitBytes = 2_000_000;

export const listPages = listEndpoint({
  id: 'listPages',
  path,
  summary: 'List the pages of all templates',
  description:
    'Returns the pages of all templates. The completion_rule of each says when its recipient ' +
    'has done the step.',
  tag,
  scope: readScope,
  item: Page,
  fields: { ...pageFields, template_id: { type: 'id', filter: true } },
  defaultSort: 'position',
  includes: stepIncludes,
  source: ({ teamId }) => stepSource(pageSteps, teamId),
});

export const listTemplatePages = listEndpoint({
  id: 'listTemplatePages',
  path: ofTemplate,
  summary: 'List the pages of a template',
  description:
    'Returns the pages of one template in their order. The completion_rule of each says when ' +
    'its recipient has done the step.',
  tag,
  scope: readScope,
  item: Page,
  fields: pageFields,
  defaultSort: 'position',
  includes: stepIncludes,
  async source({ sql, teamId, params: { id = '' } }) {
    await requireTemplate(sql, teamId, id);
    return stepSource(pageSteps, teamId, id);
  },
});

export const createTemplatePage = endpoint({
  id: 'createTemplatePage',
  method: 'POST',
  path: ofTemplate,
  summary: 'Add a page to a template, last or at a position',
  description:
    'Adds a page to a template, at the end or at a position. Its path must be unique in the ' +
    'template. A locked template is refused with 409. Render the page to check it.',
  errors: ['template_locked', 'quota_exceeded', 'slug_taken'],
  tag,
  scope: writeScope,
  rateClass: 'write',
  audit: 'page.created',
  bodyLimitBytes,
  body: PageCreate,
  status: 201,
  response: Page,
  async handle({ sql, teamId, params: { id }, body }) {
    const template = await lockForStep(sql, pageSteps, teamId, id);
    const page = inLowerCase(writeFields(blankPage, body, writtenFields));
    await checkContent(sql, template, page);
    return addStep<PageRow>(sql, pageSteps, template, page, body.position);
  },
});

function inLowerCase(page: PageContent): PageContent {
  return {
    ...page,
    objective_id: page.objective_id?.toLowerCase() ?? null,
    widget_instance_id: page.widget_instance_id?.toLowerCase() ?? null,
    content_block_ids: page.content_block_ids.map((id) => id.toLowerCase()),
  };
}

/** Throws 422 and 409; the template is locked, so that its paths stay as they are. */
async function checkContent(sql: Sql, template: TemplateRow, page: PageContent, id?: string) {
  const { team_id: teamId } = template;
  const problems: Problem[] = [
    ...(await blockProblems(sql, teamId, page.content_block_ids)),
    ...(await sourceProblems({ title: page.title })),
  ];
  if (page.objective_id !== null) {
    const unknown = await unknownObjectives(sql, teamId, [page.objective_id]);
    if (unknown.size > 0) {
      const meta = { pointer: '/objective_id', rule: 'reference_not_found' };
      const detail = 'The team has no such objective.';
      problems.push({ code: 'validation_failed', detail, meta });
    }
  }
  if (problems.length > 0) throw failAll(problems);
  if (page.path === null) return;
  const others = await listSteps<PageRow>(sql, pageSteps, teamId, template.id);
  const holder = others.find((other) => other.path === page.path && other.id !== id);
  if (!holder) return;
  throw fail('slug_taken', {
    detail: 'Another page of the template has this path.',
    meta: { pointer: '/path', id: holder.id },
  });
}

export const getPage = endpoint({
  id: 'getPage',
  method: 'GET',
  path: `${path}/{id}`,
  summary: 'Get a page',
  description:
    'Returns one page of a template with the ids of its content blocks. Its content_block_ids ' +
    'are in the order in which the recipient sees them. The version rises with every change.',
  tag,
  scope: readScope,
  rateClass: 'read',
  response: Page,
  handle: ({ sql, teamId, params }) => requireStep<PageRow>(sql, pageSteps, teamId, params.id),
});

export const updatePage = endpoint({
  id: 'updatePage',
  method: 'PATCH',
  path: `${path}/{id}`,
  summary: 'Update or move a page, unless its template is locked',
  description:
    'Changes the fields that the body names, or moves the page to another position. A locked ' +
    'template is refused with 409. A change of the content increases version.',
  errors: ['template_locked', 'slug_taken'],
  tag,
  scope: writeScope,
  rateClass: 'write',
  audit: 'page.updated',
  bodyLimitBytes,
  body: PagePatch,
  response: Page,
  async handle({ sql, teamId, params, body, checkPrecondition }) {
    const { template, step } = await lockStep<PageRow>(sql, pageSteps, teamId, params.id);
    checkPrecondition(step);
    const content = inLowerCase(writeFields(step, body, writtenFields));
    const position = placeFor(pageSteps, template, step, body.position);
    const changed = changedFields(Page, step, { ...step, ...content, position });
    if (!changed) return step;
    await checkContent(sql, template, content, step.id);
    const isNew = Object.keys(changed).some((name) => name !== 'name' && name !== 'position');
    const version = step.version + (isNew ? 1 : 0);
    const changes = { ...content, position, version };
    return changeStep<PageRow>(sql, pageSteps, template, step, changes);
  },
});

export const deletePage = endpoint({
  id: 'deletePage',
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'Delete a page, unless its template is locked',
  description:
    'Deletes a page permanently. A locked template is refused with 409. The content blocks of ' +
    'the page stay.',
  errors: ['template_locked'],
  tag,
  scope: 'partner:pages:delete',
  rateClass: 'write',
  audit: 'page.deleted',
  async handle({ sql, teamId, params, checkPrecondition }) {
    const { template, step } = await lockStep<PageRow>(sql, pageSteps, teamId, params.id);
    checkPrecondition(step);
    await removeStep(sql, pageSteps, template, step);
    return undefined;
  },
});

export const renderPageFor = endpoint({
  id: 'renderPage',
  method: 'POST',
  path: `${path}/{id}/render`,
  summary: 'Render a page for a contact, a sample person or given data',
  description:
    'Returns the HTML of a page for a contact, a sample person or given data. Variables that ' +
    'do not exist are listed in unknown_variables; they prevent a launch. Nothing is stored. ' +
    'The data of a contact needs the scope partner:contacts:read.',
  tag,
  scope: readScope,
  rateClass: 'read',
  audit: { none: 'question' },
  body: PreviewFor,
  bodyOptional: true,
  response: Type.Object(
    {
      html: Type.String(),
      variables: Type.Array(Type.String()),
      unknown_variables: Type.Array(Type.String(), { description: 'They keep it from a launch' }),
    },
    { title: 'rendered_page' },
  ),
  async handle(call) {
    const { sql, teamId, params, body } = call;
    const page = await requireStep<PageRow>(sql, pageSteps, teamId, params.id);
    const blocks = await findBlocks(sql, teamId, page.content_block_ids);
    const { name, deadline_at } = await requireTemplate(sql, teamId, page.template_id);
    const { journey } = sampleAddresses(letterheadOf(call));
    const surroundings = { template: { name, deadline_at }, journey };
    const values = await previewFor(call, await contactOf(call, body), body, surroundings);
    const variables = await variablesIn(
      { title: page.title },
      ...blocks.map((block) => block.body),
    );
    const unknown_variables = unknownVariables(variables, 'page');
    const html = await renderPage(page, blocks, values);
    return { html, variables, unknown_variables };
  },
});

export const pageEndpoints = [
  listPages,
  listTemplatePages,
  createTemplatePage,
  getPage,
  updatePage,
  deletePage,
  renderPageFor,
];
