import { Answer, endpoint } from '../../platform/http/endpoint.ts';
import { HttpError } from '../../platform/http/errors.ts';
import { groupedEndpoint } from '../../platform/http/grouped-endpoint.ts';
import { listEndpoint } from '../../platform/lists/list-endpoint.ts';
import type { Include } from '../../platform/lists/list-endpoint.ts';
import { loadBy } from '../../platform/lists/related.ts';
import { saturated } from '../../platform/schema/rules.ts';
import { readPeriod, readTimezone } from '../../platform/time/period.ts';
import { contactInclude } from '../../contacts/include.ts';
import { requireContact } from '../../contacts/queries.ts';
import { requireTeam } from '../../team/queries.ts';
import { Objective } from '../../campaigns/objectives/objective.ts';
import { findObjectives, objectives } from '../../campaigns/objectives/queries.ts';
import {
  CompletionCreate,
  CompletionVoid,
  CompletionsCounts,
  CompletionsCountsQuery,
  ObjectiveCompletion,
  completionListFields,
} from './completion.ts';
import {
  completionSource,
  countCompletions,
  lockCompletion,
  requireCompletion,
} from './queries.ts';
import { voidCompletion } from './record.ts';
import { reportCompletions } from './report.ts';

const tag = 'Objectives';
const path = '/v2/partner/objectives/completions';
/** 30 × 24 hours: counts without a period do not follow the calendar. */
const defaultPeriod = 'PT720H';

const list = {
  tag,
  scope: 'partner:objectives:read',
  item: ObjectiveCompletion,
  fields: completionListFields,
  defaultSort: '-completed_at',
  includes: {
    objective: {
      scope: 'partner:objectives:read',
      item: Objective,
      many: false,
      load: loadBy('objective_id', findObjectives),
    },
    contact: contactInclude,
  } satisfies Record<string, Include>,
} as const;

export const listCompletions = listEndpoint({
  ...list,
  id: 'listCompletions',
  path,
  summary: 'List the completions of objectives, including voided ones',
  description:
    'Returns the completions of all objectives, the voided ones as well. The attribution says ' +
    'whether a journey led to one. Counts and insights leave voided ones out.',
  source: ({ teamId }) => completionSource(teamId),
});

export const listObjectiveCompletions = listEndpoint({
  ...list,
  id: 'listObjectiveCompletions',
  path: '/v2/partner/objectives/{id}/completions',
  summary: 'List the completions of an objective',
  description:
    'Returns the completions of one objective, the voided ones as well. The attribution says ' +
    'whether a journey led to one; unique_id distinguishes repeats.',
  async source({ sql, teamId, params: { id = '' } }) {
    const objective = await objectives.require(sql, teamId, id);
    return completionSource(teamId, { column: 'objective_id', id: objective.id });
  },
});

export const listContactCompletions = listEndpoint({
  ...list,
  id: 'listContactCompletions',
  path: '/v2/partner/contacts/{id}/objective-completions',
  keyParams: ['id'],
  summary: 'List the objectives that a contact has completed',
  description:
    'Returns the objectives that a contact has completed, with voided completions. The ' +
    'attribution says whether a journey led to one.',
  errors: ['resource_erased', 'contact_merged'],
  async source({ sql, teamId, params: { id = '' } }) {
    const contact = await requireContact(sql, teamId, id);
    return completionSource(teamId, { column: 'contact_id', id: contact.id });
  },
});

export const createObjectiveCompletion = groupedEndpoint({
  id: 'createObjectiveCompletion',
  method: 'POST',
  path: '/v2/partner/objectives/{id}/completions',
  summary: 'Record that a contact completed an objective; a repeat returns the first with 200',
  description:
    'Records that a contact has completed an objective, and the event objective.completed. A ' +
    'repeat of the same completion answers 200 with the first one: an objective that is not ' +
    'repeatable is completed once by a contact, and a unique_id counts once. The time is now ' +
    'unless completed_at says otherwise. Journeys of the contact that wait for the objective ' +
    'continue.',
  errors: ['invalid_state_transition'],
  tag,
  scope: 'partner:objectives:write',
  rateClass: 'write',
  audit: { none: 'contact_data' },
  body: CompletionCreate,
  status: 201,
  repeatStatus: 200,
  response: ObjectiveCompletion,
  location: `${path}/{id}`,
  together: {
    async handle({ sql, teamId }, calls) {
      const reports = calls.map(({ params, body, request }) => {
        return { objectiveId: params.id, body, span: request.trace.span };
      });
      const outcomes = await reportCompletions(sql, teamId, reports);
      return outcomes.map((outcome) => {
        if (outcome instanceof HttpError) return outcome;
        const { completion, isNew } = outcome;
        return isNew ? completion : new Answer(completion, { isRepeat: true });
      });
    },
  },
});

export const getObjectiveCompletion = endpoint({
  id: 'getObjectiveCompletion',
  method: 'GET',
  path: `${path}/{id}`,
  summary: 'Get a completion',
  description:
    'Returns one completion with its value and the journey that it is attributed to. A voided ' +
    'completion has voided_at and void_reason, and no longer counts.',
  tag,
  scope: 'partner:objectives:read',
  rateClass: 'read',
  response: ObjectiveCompletion,
  handle: ({ sql, teamId, params }) => requireCompletion(sql, teamId, params.id),
});

export const voidObjectiveCompletion = endpoint({
  id: 'voidObjectiveCompletion',
  method: 'POST',
  path: `${path}/{id}/void`,
  summary: 'Void a completion; it no longer counts in totals and insights',
  description:
    'Voids a completion, which takes it out of counts and insights, and records the event ' +
    'objective.voided. The record stays, with the reason. A completion that is voided already ' +
    'is refused with 409. It cannot be undone: record the completion again instead.',
  errors: ['invalid_state_transition', 'precondition_failed'],
  tag,
  scope: 'partner:objectives:write',
  rateClass: 'execute',
  audit: 'objective_completion.voided',
  body: CompletionVoid,
  response: ObjectiveCompletion,
  async handle({ sql, teamId, params, body: { reason }, checkPrecondition }) {
    const before = await lockCompletion(sql, teamId, params.id);
    checkPrecondition(before);
    return voidCompletion(sql, before, reason);
  },
});

export const getObjectiveCompletionsCounts = endpoint({
  id: 'getObjectiveCompletionsCounts',
  method: 'GET',
  path: `${path}/counts`,
  summary: 'Count the completions of a period by objective, with their value',
  description:
    'Returns the number and the value of the completions of a period by objective. The period ' +
    'is the last 30 times 24 hours unless the parameter names another one of at most 731 ' +
    'days. Voided completions are not counted.',
  errors: ['invalid_period', 'invalid_timezone'],
  tag,
  scope: 'partner:objectives:read',
  rateClass: 'read',
  query: CompletionsCountsQuery,
  response: CompletionsCounts,
  async handle({ sql, teamId, query }) {
    const nowMs = Date.now();
    const team = await requireTeam(sql, teamId);
    const { start, end } = readPeriod(query.period ?? defaultPeriod, {
      nowMs,
      timezone: readTimezone(query.timezone, team.timezone),
      teamCreatedMs: Date.parse(team.inserted_at),
    });
    const counts = await countCompletions(sql, teamId, { start, end });
    const sum = (of: (row: (typeof counts)[number]) => number) =>
      counts.reduce((total, row) => saturated(total + of(row)), 0);
    return {
      team_id: teamId,
      window: { start, end },
      by_objective: counts,
      total_completions: sum(({ completions }) => completions),
      total_value_cents: sum(({ value_cents }) => value_cents),
      computed_at: new Date(nowMs).toISOString(),
    };
  },
});

export const objectiveCompletionEndpoints = [
  listCompletions,
  listObjectiveCompletions,
  listContactCompletions,
  createObjectiveCompletion,
  getObjectiveCompletion,
  voidObjectiveCompletion,
  getObjectiveCompletionsCounts,
];
