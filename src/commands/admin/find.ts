import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import type { Sql } from '../../platform/database/sql.ts';
import { LocalFailure } from '../../local/local-failure.ts';
import { isUuid } from '../../platform/schema/fields.ts';
import {
  cohortJob,
  exportJob,
  fileFetchJob,
  fileSourceTestJob,
  inboundJob,
  journeyJob,
  templateJob,
  webhookRecoveryJob,
} from '../../../workflows/jobs.ts';
import type { Output } from '../../../sdk/cli/src/output.ts';
import { withDatabase } from './connection.ts';
import { findProspects } from './find/next.ts';
import type { Prospects } from './find/next.ts';
import { findRow, foundKinds } from './find/queries.ts';
import type { FoundRow, Kind } from './find/queries.ts';
import { findRequestsById } from './find/requests/queries.ts';
import type { FoundRequest } from './find/requests/queries.ts';
import { commandsOf, queryOf, workflowsOf } from './find/workflows.ts';
import { findTemporal, lookUpWorkflows, queryUrl, workflowUrl } from './temporal.ts';
import type { SeenWorkflow, TemporalPlace } from './temporal.ts';

/** Every team and day is searched, on a primary key. */
const slowly = { deadlineMs: 60_000 };
const longestId = 200;

function parseAnyId(text: string): string {
  const id = text.trim();
  // Ids of workflows are pasted as they are: batch/<id>, webhook-recovery/<id>.
  const [, row = id] = /^[a-z-]+\/([\da-f-]{36})$/i.exec(id) ?? [];
  if (isUuid(row)) return row.toLowerCase();
  if (id !== '' && id.length <= longestId && !/\s/.test(id)) return id;
  throw new InvalidArgumentError('An id is a UUID, the id of a workflow, or an X-Request-Id.');
}

interface Answer extends Prospects {
  kind: Kind;
  row: FoundRow;
}

/** `npm run admin -- find <id>`: what a row of any team is, and what happens to it next. */
export function addFindCommand(program: Command, output: Output): void {
  program
    .command('find')
    .description(
      'say what an id is, its state, why it waits or failed, and what happens next: of a contact, journey, template, message or webhook delivery, subscription, batch, execution, export, file, callback, replay, team, client or request',
    )
    .argument('<id>', 'the id, without more', parseAnyId)
    .action(async (id: string) => {
      const { answers, requests } = await withDatabase((database) =>
        database.read(async (sql) => {
          const found = isUuid(id) ? await findRows(sql, id) : [];
          return { answers: found, requests: await findRequestsById(sql, id) };
        }, slowly),
      );
      if (answers.length + requests.length === 0) {
        throw new LocalFailure(
          `No team has a row with the id ${id}. It may be deleted by its retention, or belong to another installation; ids of requests are found for 7 days.`,
        );
      }
      const place = await findTemporal();
      for (const answer of answers) await show(output, place, answer);
      if (requests.length > 0) showRequests(output, requests);
    });
}

async function findRows(sql: Sql, id: string): Promise<Answer[]> {
  const found: Answer[] = [];
  for (const kind of foundKinds) {
    const row = await findRow(sql, kind, id);
    if (row) found.push({ kind, row, ...(await findProspects(sql, kind, row)) });
  }
  return found;
}

async function show(output: Output, place: TemporalPlace, answer: Answer): Promise<void> {
  const { kind, row, next, journeys, failedItems } = answer;
  const ids = workflowsOf(kind, row);
  const looked = ids.length === 0 ? [] : await lookUpWorkflows(place, ids);
  const unknown = (id: string): SeenWorkflow => ({ id, status: 'unknown' });
  const seen = Array.isArray(looked) ? looked : ids.map(unknown);
  const workflows = seen.map((workflow) => ({
    ...workflow,
    url: workflowUrl(place, workflow.id, workflow.runId),
  }));
  const query = queryOf(kind, row);
  const commands = commandsOf(kind, row);
  const path = pathOf(kind, row.id);
  const temporal = Array.isArray(looked) ? undefined : `away: ${looked.away}`;
  const figures = Object.entries(row.facts).filter(([, value]) => value !== null);
  const related = Object.entries(row.related).filter(([, value]) => value !== null);
  const summary = {
    ...{ what: kind.replaceAll('_', ' '), id: row.id, team: row.team_id, state: row.state },
    ...{ why: row.why, next },
    ...Object.fromEntries([...related, ...figures]),
    ...(path !== undefined && { api: path }),
    ...(temporal !== undefined && { temporal }),
    ...(query !== undefined && { query, query_url: queryUrl(place, query) ?? null }),
  };
  if (output.isJson) {
    output.row({ ...summary, journeys, failed_items: failedItems, workflows, commands });
    return;
  }
  output.row(summary);
  if (journeys) {
    output.remark('\nJourneys');
    output.rows(journeys, ['id', 'status', 'exit_reason', 'template', 'next']);
  }
  if (failedItems) {
    output.remark('\nThe first failed items, by their index from 0');
    output.rows(failedItems, ['index', 'code', 'field']);
  }
  if (workflows.length > 0) output.remark('\nWorkflows');
  for (const { id, status, url, details } of workflows) {
    output.remark(`${id}  ${status === 'none' ? 'has no run now' : status}  ${url ?? ''}`);
    if (details !== undefined) output.remark(`  ${details}`);
  }
  if (commands.length > 0) output.remark(`\nNext\n${commands.join('\n')}`);
}

/** The resource in the API, where a workflow names it. */
function pathOf(kind: Kind, id: string): string | undefined {
  const places: Partial<Record<Kind, string>> = {
    contact: `/v2/partner/contacts/${id}`,
    journey: journeyJob.resource(id),
    template: templateJob.resource(id),
    message_delivery: `/v2/partner/message-deliveries/${id}`,
    webhook_subscription: webhookRecoveryJob.resource(id),
    export: exportJob.resource(id),
    cohort: cohortJob.resource(id),
    sftp_upload: fileFetchJob.resource(id),
    file_source: fileSourceTestJob.resource(id),
    receiver: inboundJob.resource(id),
  };
  return places[kind];
}

function showRequests(output: Output, requests: readonly FoundRequest[]): void {
  if (output.isJson) {
    for (const request of requests) output.row({ what: 'request', ...request });
    return;
  }
  output.remark('\nRequests with this id, the latest first');
  output.rows(requests, [
    'occurred_at',
    'team_id',
    'operation',
    'status',
    'duration_ms',
    'error_codes',
  ]);
  const [latest] = requests;
  if (!latest) return;
  const { team_id: team, request_id: id } = latest;
  output.remark(`\nNext\nnpm run admin -- requests list --team ${team} --id ${id}`);
}
