import type { Static } from 'typebox';
import type { Sql } from '../../platform/database/sql.ts';
import type { Span } from '../../platform/observability/span.ts';
import { HttpError, failAll, notFound } from '../../platform/http/errors.ts';
import { toTimestamp } from '../../platform/time/rules.ts';
import { findAccounts } from '../../contacts/accounts/queries.ts';
import { findContacts } from '../../contacts/queries.ts';
import { holdObjectives } from '../../campaigns/objectives/queries.ts';
import type { CompletionCreate } from './completion.ts';
import { recordCompletions } from './record.ts';
import type { CompletionToRecord, RecordedCompletion } from './record.ts';
import { completionProblems } from './rules.ts';

/** A completion that a client reports. */
export interface ReportedCompletion {
  objectiveId: string;
  body: Static<typeof CompletionCreate>;
  span?: Span | undefined;
}

/** Records reported completions; returns for each what was recorded, or why it was refused. */
export async function reportCompletions(
  sql: Sql,
  teamId: string,
  reports: readonly ReportedCompletion[],
): Promise<(RecordedCompletion | HttpError)[]> {
  const checked = await checkReports(sql, teamId, reports);
  const recorded = await recordCompletions(
    sql,
    teamId,
    checked.flatMap((report) => (report instanceof HttpError ? [] : [report])),
  );
  return checked.map((report) =>
    report instanceof HttpError ? report : (recorded.splice(0, 1)[0] ?? missing()),
  );
}

async function checkReports(
  sql: Sql,
  teamId: string,
  reports: readonly ReportedCompletion[],
): Promise<(CompletionToRecord | HttpError)[]> {
  const ids = reports.map(({ objectiveId }) => objectiveId);
  const contactIds = reports.map(({ body }) => body.contact_id.toLowerCase());
  const accountIds = reports.flatMap(({ body }) => body.account_id?.toLowerCase() ?? []);
  const held = await holdObjectives(sql, teamId, { ids, keys: [] });
  const contacts = new Set((await findContacts(sql, teamId, contactIds)).map(({ id }) => id));
  const accounts = await findAccounts(sql, teamId, accountIds);
  const ownerOf = new Map(accounts.map(({ id, contact_id }) => [id, contact_id]));
  const nowMs = Date.now();
  return reports.map(({ objectiveId, body, span }) => {
    const objective = held.find(({ id }) => id === objectiveId);
    if (!objective) return notFound('objective');
    const completedMs = body.completed_at ? Date.parse(body.completed_at.toUpperCase()) : nowMs;
    const contactId = body.contact_id.toLowerCase();
    const accountId = body.account_id?.toLowerCase();
    const hasAccount = accountId === undefined || ownerOf.get(accountId) === contactId;
    const about = { objective, completedMs, hasContact: contacts.has(contactId), hasAccount };
    const problems = completionProblems(about, nowMs);
    if (problems.length > 0) return failAll(problems);
    return {
      objective,
      contactId,
      completedAt: toTimestamp(completedMs),
      source: 'api' as const,
      valueCents: body.value_cents ?? undefined,
      accountId,
      uniqueId: body.unique_id ?? undefined,
      span,
    };
  });
}

function missing(): never {
  throw new Error('a completion was not recorded');
}
