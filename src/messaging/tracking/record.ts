import { createHash } from 'node:crypto';
import type { Sql } from '../../platform/database/sql.ts';
import { groupBy } from '../../platform/group-by.ts';
import { toTimestamp } from '../../platform/time/rules.ts';
import { truncatedNetworkOf } from '../../engagement/engagement-events/network.ts';
import { recordEngagement } from '../../engagement/engagement-events/record.ts';
import type { EventToRecord } from '../../engagement/engagement-events/record.ts';
import { applyReports } from '../message-deliveries/apply-reports.ts';
import { findVisitedSends } from './queries.ts';
import type { VisitedSend } from './queries.ts';
import { countedBy, isMachineVisit, mayRecord, periodOf } from './rules.ts';
import type { Visit } from './rules.ts';
import type { TrackedSend } from './token.ts';

/** A visit that is to be recorded. */
export interface NotedVisit extends Visit {
  send: TrackedSend;
  /** Address of the visitor. */
  address: string;
  /** Clicks of the same message around the same time, this included. */
  clicks: readonly Pick<Visit, 'target' | 'atMs'>[];
}

/**
 * Records visits as opens and clicks that a provider reports: engagement events, the counters and
 * events of deliveries, journeys. Deliveries that no longer exist, or whose contacts were erased, are
 * left out.
 */
export async function recordVisits(sql: Sql, visits: readonly NotedVisit[]): Promise<void> {
  const teams = groupBy(visits, ({ send }) => send.team_id);
  // In one order, so that two processes cannot wait for each other.
  for (const teamId of [...teams.keys()].sort()) {
    await recordOfTeam(sql, teamId, teams.get(teamId) ?? []);
  }
}

async function recordOfTeam(
  sql: Sql,
  teamId: string,
  visits: readonly NotedVisit[],
): Promise<void> {
  const places = visits.map(({ send }) => send);
  const sends = new Map((await findVisitedSends(sql, teamId, places)).map((one) => [one.id, one]));
  const events = visits.flatMap((visit): EventToRecord[] => {
    const send = sends.get(visit.send.id);
    if (!send) return [];
    const sentMs = send.sent_at === null ? undefined : Date.parse(send.sent_at);
    const isMachine = isMachineVisit(visit, sentMs, visit.clicks);
    if (!mayRecord(send, visit, isMachine)) return [];
    sends.set(send.id, { ...send, ...countedBy(send, visit, isMachine) });
    return [eventOf(visit, send, isMachine)];
  });
  if (events.length === 0) return;
  const recorded = await recordEngagement(sql, teamId, events);
  await applyReports(
    sql,
    teamId,
    events.flatMap(
      ({ kind, occurred_at: at, is_machine: isMachine, message_delivery_id }, index) => {
        const place = sends.get(message_delivery_id ?? '');
        const isNew = recorded[index]?.status === 'created';
        return place && isNew ? [{ place, kind, at, isMachine }] : [];
      },
    ),
  );
}

function eventOf(visit: NotedVisit, send: VisitedSend, isMachine: boolean): EventToRecord {
  const { target, atMs, agent, address } = visit;
  const network = truncatedNetworkOf(address);
  const link = createHash('sha256')
    .update(target ?? '')
    .digest('base64url')
    .slice(0, 22);
  return {
    kind: target === null ? 'message.opened' : 'message.clicked',
    channel: 'email',
    source: 'system',
    is_machine: isMachine,
    occurred_at: toTimestamp(atMs),
    contact_id: send.contact_id,
    message_id: send.message_id,
    template_id: send.template_id,
    message_delivery_id: send.id,
    ...(send.journey_id !== null && { journey_id: send.journey_id }),
    ...(target !== null && { url: target }),
    ...(network !== undefined && { ip_truncated: network }),
    properties: { agent_class: agent },
    unique_id: `track:${send.id}:${periodOf(visit, isMachine)}:${link}`,
  };
}
