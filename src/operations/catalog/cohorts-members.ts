import { Type } from 'typebox';
import { Count, Id } from '../../platform/schema/fields.ts';
import type { Problem } from '../../platform/http/errors.ts';
import { changeMembers, isDynamic } from '../../cohorts/members/change.ts';
import type { MemberChange } from '../../cohorts/members/change.ts';
import { findUnknownContacts } from '../../cohorts/members/queries.ts';
import { findCohortsLocked } from '../../cohorts/queries.ts';
import type { CohortRow } from '../../cohorts/queries.ts';
import { operation } from '../operation-type.ts';
import type { OperationCall, Outcome } from '../operation-type.ts';

const Member = Type.Object({ cohort_id: Id(), contact_id: Id() }, { additionalProperties: false });
const Changed = Type.Object(
  {
    cohort_id: Id(),
    contact_id: Id(),
    member_count: Count('Members of the cohort after all items'),
  },
  { title: 'cohort_member_changed' },
);

/** Declares adding or removing, for items that may name several cohorts. */
function changing(verb: MemberChange, summary: string) {
  return operation({
    kind: `cohorts.${verb}_members`,
    category: 'cohorts',
    summary,
    idempotencyMode: 'natural',
    failureMode: 'partial_ok',
    bulkThreshold: 1_000,
    executionMode: 'sync',
    scopes: ['partner:cohorts:write'],
    outputScope: 'partner:cohorts:read',
    rateLimitClass: 'bulk',
    audit: verb === 'add' ? 'cohort.members_added' : 'cohort.members_removed',
    input: Member,
    output: Changed,
    apply: (call, items) => change(call, verb, items),
  });
}

interface Item {
  cohort_id: string;
  contact_id: string;
}

async function change(
  { sql, teamId }: OperationCall,
  verb: MemberChange,
  sent: readonly Item[],
): Promise<Outcome<Item & { member_count: number }>[]> {
  const items = sent.map(({ cohort_id, contact_id }) => ({
    cohort_id: cohort_id.toLowerCase(),
    contact_id: contact_id.toLowerCase(),
  }));
  const cohorts = new Map(
    (await findCohortsLocked(sql, teamId, [...new Set(items.map((one) => one.cohort_id))])).map(
      (row) => [row.id, row],
    ),
  );
  const contactIds = [...new Set(items.map((one) => one.contact_id))];
  const how = { withArchived: verb === 'remove' };
  const unknown = await findUnknownContacts(sql, teamId, contactIds, how);
  const problems = items.map((item) => problemOf(item, cohorts.get(item.cohort_id), unknown));
  const changed = new Map<string, { ids: ReadonlySet<string>; count: number }>();
  for (const [id, cohort] of cohorts) {
    const ids = items.flatMap((item, at) =>
      item.cohort_id === id && !problems[at] ? [item.contact_id] : [],
    );
    if (ids.length > 0) changed.set(id, await changeMembers(sql, cohort, verb, ids));
  }
  const seen = new Set<string>();
  return items.map((item, at): Outcome<Item & { member_count: number }> => {
    const problem = problems[at];
    if (problem) return { status: 'failed', errors: [problem] };
    const { ids, count } = changed.get(item.cohort_id) ?? { ids: new Set<string>(), count: 0 };
    const place = `${item.cohort_id} ${item.contact_id}`;
    const isNew = ids.has(item.contact_id) && !seen.has(place);
    seen.add(place);
    return {
      status: isNew ? 'updated' : 'unchanged',
      resource_type: 'cohort',
      resource_id: item.cohort_id,
      output: { ...item, member_count: count },
    };
  });
}

function problemOf(
  item: Item,
  cohort: CohortRow | undefined,
  unknown: ReadonlySet<string>,
): Problem | undefined {
  if (!cohort) return notFound('/cohort_id', 'cohort');
  if (cohort.kind === 'dynamic') return isDynamic;
  return unknown.has(item.contact_id) ? notFound('/contact_id', 'contact') : undefined;
}

function notFound(pointer: string, noun: string): Problem {
  return {
    code: 'validation_failed',
    detail: `The team has no such ${noun}.`,
    meta: { pointer, rule: 'reference_not_found' },
  };
}

export const cohortsAddMembers = changing('add', 'Add contacts to static cohorts');
export const cohortsRemoveMembers = changing('remove', 'Remove contacts from static cohorts');
