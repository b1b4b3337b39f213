import { findNextStep } from '../../../journeys/enrollment/next-step.ts';
import { describeProspect } from '../../../journeys/watches/rules.ts';
import { skipReasons } from '../../../messaging/message-deliveries/rules.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { listFirstFailed } from '../../../operations/runs/items/queries.ts';
import { listFoundJourneys } from './journeys/queries.ts';
import type { FoundJourney } from './journeys/queries.ts';
import type { FoundRow, Kind } from './queries.ts';

/** Journeys of a contact that are shown; `GET /v2/partner/contacts/{id}/journeys` lists all. */
const journeysShown = 20;
const failedShown = 20;

/** The next events of a row, and rows that belong to it. */
export interface Prospects {
  next: string;
  journeys?: object[];
  failedItems?: object[];
}

export async function findProspects(sql: Sql, kind: Kind, row: FoundRow): Promise<Prospects> {
  const { team_id: teamId, id } = row;
  if (kind === 'contact') return ofContact(sql, row);
  if (kind === 'journey') {
    const [journey] = await listFoundJourneys(sql, teamId, { journeyId: id }, 1);
    return { next: journey ? await nextOf(sql, journey) : 'The journey exists no longer.' };
  }
  if (kind === 'operation_run') {
    const failedItems = await listFirstFailed(sql, { team_id: teamId, id }, failedShown);
    return { next: ofState(kind, row), ...(failedItems.length > 0 && { failedItems }) };
  }
  return { next: ofState(kind, row) };
}

async function ofContact(sql: Sql, row: FoundRow): Promise<Prospects> {
  const { team_id: teamId, id: contactId, state } = row;
  const found = await listFoundJourneys(sql, teamId, { contactId }, journeysShown);
  const journeys = [];
  for (const journey of found) {
    const { id, template_id: template, status, exit_reason: exitReason } = journey;
    const next = await nextOf(sql, journey);
    journeys.push({ id, template, status, exit_reason: exitReason, next });
  }
  if (state === 'archived') return { next: 'Nothing: the contact is archived.', journeys };
  if (journeys.length === 0) return { next: 'Nothing: the contact has no journey.' };
  return { next: 'See its journeys, the latest first.', journeys };
}

async function nextOf(sql: Sql, journey: FoundJourney): Promise<string> {
  const { status, template_status: templateStatus, is_holdout: isHoldout } = journey;
  const { deadline_at: deadlineAt } = journey;
  const ahead = await findNextStep(sql, journey);
  const deadlineAtMs = deadlineAt === null ? null : Date.parse(deadlineAt);
  return describeProspect({ status, templateStatus, isHoldout, ...ahead, deadlineAtMs });
}

/** Sentences by kind and state; `*` is every other state. A time follows where there is one. */
const sentences: Readonly<Partial<Record<Kind, Readonly<Record<string, string>>>>> = {
  template: {
    scheduled: 'It launches, or expires, unless a client changes that before',
    launched: 'Its journeys go on until a client changes it, or its deadline',
    paused: 'Nothing is sent until a client resumes it, or its deadline',
    '*': 'Nothing: no launch and no expiry is scheduled',
  },
  message_delivery: {
    scheduled: 'It waits for its time',
    queued: 'It waits in the send queue for its next attempt',
    sent: 'The provider has it, and has not reported yet',
    delayed: 'The provider tries again',
    '*': 'Nothing: it has ended',
  },
  webhook_delivery: {
    pending: 'A lane makes the first attempt, or its recovery the next one',
    retrying: 'The recovery of its subscription makes the next attempt',
    '*': 'Nothing: it has ended. A replay sends it again',
  },
  webhook_subscription: {
    healthy: 'Lanes send its deliveries as they come',
    failing: 'Its recovery makes the next attempt',
    disabled: 'Nothing until its team sets `is_active` again, and replays what was suppressed',
    inactive: 'Nothing until its team sets `is_active`',
    '*': 'Nothing: it was deleted',
  },
  operation_run: {
    queued: 'It waits for its turn among the runs of its team (`ahead`)',
    validating: 'Its file is read, then its items are applied',
    running: 'Its items are applied',
    canceling: 'It ends after the items that are being applied',
    '*': 'Nothing: it has ended',
  },
  export: {
    queued: 'Its file is written',
    running: 'Its file is written',
    succeeded: 'Nothing: its file can be downloaded until `expires_at`',
    '*': 'Nothing: it has ended. The client may request it again',
  },
  sftp_upload: {
    receiving: 'The partner writes the file, or it is fetched',
    imported: 'Nothing: its import has begun, see `batch`',
    '*': 'See `batch` for its import, and `why` for its failure',
  },
  cohort: { '*': 'It is evaluated by its schedule' },
  receiver: { '*': 'Callbacks are taken; those that could not be applied are tried again' },
  inbound_delivery: { '*': 'It is tried again where a time is given; a replay applies it again' },
  sending_domain: { deleted: 'Nothing: it was deleted', '*': 'Its DNS records are looked up' },
  contact_erasure: { completed: 'Nothing: it has ended', '*': 'Remaining copies are erased' },
  webhook_replay: {
    pending: 'Its deliveries are started over',
    running: 'Its deliveries are started over',
    '*': 'Nothing: it has ended',
  },
  inbound_replay: {
    pending: 'Its callbacks are applied again',
    running: 'Its callbacks are applied again',
    '*': 'Nothing: it has ended',
  },
  file_source: {
    active: 'Files that callbacks name are fetched',
    '*': 'Nothing is fetched before its team sets `is_active`',
  },
};

function ofState(kind: Kind, { state, why, next_at: nextAt }: FoundRow): string {
  const { [kind]: known = {} } = sentences;
  const sentence = known[state] ?? known['*'] ?? 'Nothing by itself';
  if (kind === 'message_delivery' && skipReasons.some((reason) => reason === why)) {
    return `Nothing: it was not sent (${String(why)}).`;
  }
  return nextAt === null ? `${sentence}.` : `${sentence}, at ${nextAt}.`;
}
