import { createHash } from 'node:crypto';
import { Type } from 'typebox';
import { Count, Id } from '../../platform/schema/fields.ts';
import { fail, failAll } from '../../platform/http/errors.ts';
import { cohorts } from '../../cohorts/queries.ts';
import {
  lockForEnrollment,
  refusalProblem,
  takesRecipients,
} from '../../journeys/enrollment/enroll.ts';
import { findScan, insertScan } from '../../journeys/scans/queries.ts';
import { scanOn } from '../../journeys/scans/scan.ts';
import { oneByOne, operation } from '../operation-type.ts';
import type { OperationCall } from '../operation-type.ts';

const Input = Type.Object({ template_id: Id(), cohort_id: Id() }, { additionalProperties: false });
const Enrolled = Type.Object(
  {
    template_id: Id(),
    cohort_id: Id(),
    seen: Count('Members that were looked at'),
    enrolled: Count('Members that were enrolled; the rules kept the others out'),
  },
  { title: 'cohort_enrolled' },
);

interface Item {
  template_id: string;
  cohort_id: string;
}

/** Members of one transaction, during which the template cannot be paused. */
const memberBatch = 500;
/** Members that one transaction can try; more are enrolled for good, some at a time. */
const maxSynchronousMembers = 20_000;

export const templatesEnrollCohort = operation({
  kind: 'templates.enroll_cohort',
  category: 'journeys',
  summary: 'Enroll the current members of a cohort in a launched template',
  notes:
    'Enrolled some at a time: who is enrolled stays so where the execution is canceled or the ' +
    `template is paused meanwhile. A dry run takes cohorts of up to ${String(maxSynchronousMembers)} members.`,
  idempotencyMode: 'keyed',
  failureMode: 'transactional',
  executionMode: 'async',
  scopes: ['partner:journeys:execute', 'partner:cohorts:read'],
  rateLimitClass: 'execute',
  audit: { none: 'run' },
  input: Input,
  output: Enrolled,
  async step(call, item) {
    const { template, scanId } = await begin(call, item);
    const seen = await scanOn(call.sql, template, scanId, memberBatch);
    return seen === undefined;
  },
  apply: oneByOne(async (call, item: Item) => {
    const { sql, teamId } = call;
    const { template, scanId } = await begin(call, item);
    // All but a dry run come here with nothing left to do.
    for (let tried = 0; ; tried += memberBatch) {
      if ((await scanOn(sql, template, scanId, memberBatch)) === undefined) break;
      if (tried > maxSynchronousMembers) throw tooMany();
    }
    const scan = await findScan(sql, teamId, scanId);
    const { seen_count: seen = 0, enrolled_count: enrolled = 0 } = scan ?? {};
    const { template_id, cohort_id } = item;
    const row = { id: template.id, type: 'template', template_id, cohort_id, seen, enrolled };
    return { status: enrolled > 0 ? 'created' : 'unchanged', row };
  }),
});

/** Starts or resumes the scan of the cohort. Throws 404, and 409 if the template accepts nobody. */
async function begin({ sql, teamId, trace }: OperationCall, { template_id, cohort_id }: Item) {
  const template = await lockForEnrollment(sql, teamId, template_id);
  if (!takesRecipients(template)) throw failAll([refusalProblem(template, undefined)]);
  const cohort = await cohorts.require(sql, teamId, cohort_id);
  const scanId = idOf(trace.requestId, template.id, cohort.id);
  const cohort_ids = [cohort.id];
  await insertScan(sql, { team_id: teamId, id: scanId, template_id: template.id, cohort_ids });
  return { template, scanId };
}

/** The same for the same item of the same run, however often it is begun. */
function idOf(...parts: readonly string[]): string {
  const hex = createHash('sha256').update(parts.join(' ')).digest('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}

function tooMany() {
  return fail('too_many_items', {
    detail: `A dry run takes cohorts of up to ${String(maxSynchronousMembers)} members.`,
    meta: { max: maxSynchronousMembers, pointer: '/cohort_id' },
  });
}
