import type { Principal } from '../../../platform/auth/principal.ts';
import { endpoint } from '../../../platform/http/endpoint.ts';
import { fail } from '../../../platform/http/errors.ts';
import { listEndpoint } from '../../../platform/lists/list-endpoint.ts';
import { requireTemplate } from '../queries.ts';
import { templateStatuses } from '../rules.ts';
import { findVersion, statusChangeSource, versionSource } from './queries.ts';
import {
  sectionScopes,
  TemplateStatusChange,
  TemplateVersion,
  TemplateVersionSummary,
  versionSections,
} from './version.ts';

type FoundVersion = Awaited<ReturnType<typeof findVersion>>;

const tag = 'Templates';
const scope = 'partner:templates:read';

export const listTemplateVersions = listEndpoint({
  id: 'listTemplateVersions',
  path: '/v2/partner/templates/{id}/versions',
  summary: 'List the versions of a template: one per launch, and one per resume after an edit',
  description:
    'Returns the versions of a template: one for each launch, and one for each resume after ' +
    'an edit. A journey names the version whose content it shows. The content is in the ' +
    'answer of the operation getTemplateVersion.',
  tag,
  scope,
  item: TemplateVersionSummary,
  fields: { version: { type: 'integer', filter: true, sort: true } },
  defaultSort: '-version',
  async source({ sql, teamId, params: { id = '' } }) {
    await requireTemplate(sql, teamId, id);
    return versionSource(teamId, id);
  },
});

export const getTemplateVersion = endpoint({
  id: 'getTemplateVersion',
  method: 'GET',
  path: '/v2/partner/templates/{id}/versions/{version}',
  summary: 'Get a version of a template with its pages and messages at that time',
  description:
    'Returns one version of a template with its pages and messages as they were. Sections whose ' +
    'read scope the token lacks are left out and named in omitted_sections. Versions never ' +
    'change. Journeys name the version that they follow.',
  tag,
  scope,
  rateClass: 'read',
  textParams: ['version'],
  response: TemplateVersion,
  async handle({ sql, teamId, principal, params: { id, version } }) {
    await requireTemplate(sql, teamId, id);
    const found = /^[1-9]\d{0,8}$/.test(version)
      ? await findVersion(sql, teamId, id, Number(version))
      : undefined;
    if (found) return readableTo(principal, found);
    throw fail('not_found', {
      detail: 'The template has no version of this number.',
      meta: { resource: 'template_version' },
    });
  },
});

/** Without the sections that the token may not read at their own endpoints. */
function readableTo({ scopes }: Principal, version: NonNullable<FoundVersion>) {
  const omitted = versionSections.filter((section) => !scopes.has(sectionScopes[section]));
  const { pages, messages, content_blocks, ...rest } = version;
  return {
    ...rest,
    pages: omitted.includes('pages') ? null : pages,
    messages: omitted.includes('messages') ? null : messages,
    content_blocks: omitted.includes('content_blocks') ? null : content_blocks,
    omitted_sections: omitted.map((section) => ({
      section,
      required_scope: sectionScopes[section],
    })),
  };
}

export const listTemplateStatusHistory = listEndpoint({
  id: 'listTemplateStatusHistory',
  path: '/v2/partner/templates/{id}/status-history',
  summary: 'List the status history of a template, with the client or timer that made each change',
  description:
    'Returns every change of the status of a template, with the client or the timer that made ' +
    'it. The sequence rises with each; an entry is never changed or removed.',
  tag,
  scope,
  item: TemplateStatusChange,
  fields: {
    sequence: { type: 'integer', filter: true, sort: true },
    occurred_at: { type: 'timestamp', filter: true },
    to_status: { type: 'enum', values: templateStatuses, filter: true },
    cause: { type: 'enum', values: ['api', 'timer', 'operator'], filter: true },
  },
  defaultSort: '-sequence',
  async source({ sql, teamId, params: { id = '' } }) {
    await requireTemplate(sql, teamId, id);
    return statusChangeSource(teamId, id);
  },
});

export const templateHistoryEndpoints = [
  listTemplateVersions,
  getTemplateVersion,
  listTemplateStatusHistory,
];
