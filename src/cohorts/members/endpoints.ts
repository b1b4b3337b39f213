import type { Sql } from '../../platform/database/sql.ts';
import { Answer, endpoint } from '../../platform/http/endpoint.ts';
import type { Endpoint } from '../../platform/http/endpoint.ts';
import { failAll } from '../../platform/http/errors.ts';
import { listEndpoint } from '../../platform/lists/list-endpoint.ts';
import { contactInclude } from '../../contacts/include.ts';
import { requireContact } from '../../contacts/queries.ts';
import {
  Cohort,
  CohortMember,
  Explanation,
  MemberIds,
  MembersChanged,
  cohortListFields,
} from '../cohort.ts';
import { leavesOf } from '../definition/parse.ts';
import { allowedRule } from '../edit.ts';
import { cohorts, cohortsOfContact, evaluateContact, lockCohort } from '../queries.ts';
import { changeMembers, isDynamic } from './change.ts';
import type { MemberChange } from './change.ts';
import { findUnknownContacts, isMember, memberSource } from './queries.ts';

const tag = 'Cohorts';
const path = '/v2/partner/cohorts/{id}/members';
const readScope = 'partner:cohorts:read';
const writeScope = 'partner:cohorts:write';

export const listCohortMembers = listEndpoint({
  id: 'listCohortMembers',
  path,
  summary: 'List the members of a cohort, as of its last evaluation',
  description:
    'Returns the members of a cohort as of its last evaluation. Embed the contacts with ' +
    'include. Each one has the time at which the contact joined.',
  tag,
  scope: readScope,
  item: CohortMember,
  fields: {
    joined_at: { type: 'timestamp', filter: true, sort: true },
    contact_id: { type: 'id', filter: ['eq', 'in'] },
    id: { type: 'id', column: 't.contact_id' },
  },
  defaultSort: '-joined_at',
  includes: {
    contact: contactInclude,
  },
  async source({ sql, teamId, params: { id = '' } }) {
    return memberSource(await cohorts.require(sql, teamId, id));
  },
});

export const listContactCohorts = listEndpoint({
  id: 'listContactCohorts',
  path: '/v2/partner/contacts/{id}/cohorts',
  keyParams: ['id'],
  summary: 'List the cohorts of a contact',
  description:
    'Returns the cohorts that a contact is a member of, as of their last evaluations. The ' +
    'entry into a realtime cohort shows shortly after the change that caused it.',
  errors: ['resource_erased', 'contact_merged'],
  tag,
  scope: readScope,
  item: Cohort,
  fields: cohortListFields,
  defaultSort: '-inserted_at',
  async source({ sql, teamId, params: { id = '' } }) {
    const contact = await requireContact(sql, teamId, id);
    return cohortsOfContact(teamId, contact.id);
  },
});

/** Declares adding or removing: all of the contacts, or none where one of them is unknown. */
function changing(
  id: string,
  verb: MemberChange,
  texts: Pick<Endpoint, 'summary' | 'description'>,
) {
  return endpoint({
    id,
    method: 'POST',
    path: `${path}/${verb}`,
    ...texts,
    errors: ['cohort_is_dynamic', 'precondition_failed'],
    tag,
    scope: writeScope,
    rateClass: 'bulk',
    audit: verb === 'add' ? 'cohort.members_added' : 'cohort.members_removed',
    body: MemberIds,
    response: MembersChanged,
    showsResource: true,
    async handle({ sql, teamId, params, body: { contact_ids: contactIds }, checkPrecondition }) {
      const cohort = await lockCohort(sql, teamId, params.id);
      checkPrecondition(cohort);
      if (cohort.kind === 'dynamic') throw failAll([isDynamic]);
      await checkContacts(sql, teamId, contactIds, { withArchived: verb === 'remove' });
      const { ids, count } = await changeMembers(sql, cohort, verb, contactIds);
      const changed = { cohort_id: cohort.id, changed: ids.size, member_count: count };
      return new Answer(changed, { itemCount: ids.size });
    },
  });
}

/** Throws 422 that names every contact that the team does not have. */
async function checkContacts(
  sql: Sql,
  teamId: string,
  contactIds: readonly string[],
  how: { withArchived: boolean },
): Promise<void> {
  const unknown = await findUnknownContacts(sql, teamId, contactIds, how);
  if (unknown.size === 0) return;
  throw failAll(
    contactIds.flatMap((one, at) => {
      if (!unknown.has(one.toLowerCase())) return [];
      const meta = { pointer: `/contact_ids/${String(at)}`, rule: 'reference_not_found' };
      return [{ code: 'validation_failed', detail: 'The team has no such contact.', meta }];
    }),
  );
}

export const addCohortMembers = changing('addCohortMembers', 'add', {
  summary: 'Add up to 10,000 contacts to a static cohort',
  description:
    'Adds up to 10,000 contacts to a static cohort. All of them are added, or none where ' +
    'the team does not have one of them. Contacts who are members already are not counted ' +
    'in changed. The members of a dynamic cohort follow its definition and cannot be added.',
});

export const removeCohortMembers = changing('removeCohortMembers', 'remove', {
  summary:
    'Remove up to 10,000 contacts from a static cohort; contacts that are not members are ignored',
  description:
    'Removes up to 10,000 contacts from a static cohort. All of them are removed, or none ' +
    'where the team does not have one of them. Contacts who are no members are not counted ' +
    'in changed. The contacts themselves stay.',
});

export const explainCohortMember = endpoint({
  id: 'explainCohortMember',
  method: 'GET',
  path: `${path}/{contact_id}/explain`,
  summary: 'Explain which rules of a cohort match a contact now',
  description:
    'Returns whether a contact matches a cohort at this moment, rule by rule. The answer is ' +
    'computed for the request, so it can differ from the membership, which is as of the last ' +
    'evaluation. Use it to find out why a contact is in a cohort or not. It needs the read ' +
    'scopes of the data in the rules, such as partner:contacts:read.',
  errors: ['resource_erased', 'contact_merged'],
  tag,
  scope: readScope,
  rateClass: 'read',
  response: Explanation,
  async handle({ sql, teamId, principal, params }) {
    const cohort = await cohorts.require(sql, teamId, params.id);
    const contact = await requireContact(sql, teamId, params.contact_id);
    const is_member = await isMember(sql, cohort, contact.id);
    const about = { cohort_id: cohort.id, contact_id: contact.id, is_member };
    if (cohort.definition === null) return { ...about, belongs: is_member, leaves: [] };
    const rule = allowedRule(principal, cohort.definition);
    const leaves = leavesOf(rule);
    const now = new Date().toISOString();
    const named = leaves.map(({ leaf }) => leaf);
    const { belongs, holds } = await evaluateContact(sql, teamId, contact.id, rule, named, now);
    return {
      ...about,
      belongs,
      leaves: leaves.map(({ pointer }, at) => ({ pointer, holds: holds[at] ?? false })),
    };
  },
});

export const cohortMemberEndpoints = [
  listCohortMembers,
  listContactCohorts,
  addCohortMembers,
  removeCohortMembers,
  explainCohortMember,
];
