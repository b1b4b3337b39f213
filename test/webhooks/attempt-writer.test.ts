import { expect, test } from '@jest/globals';
import type { Database } from '../../src/platform/database/client.ts';
import { createBusiestTeams } from '../../src/platform/temporal/busiest-teams.ts';
import type { AttemptRecorder } from '../../src/webhooks/dispatch/attempt-recorder.ts';
import { createAttemptWriter } from '../../src/webhooks/dispatch/attempt-writer.ts';
import { createInFlight } from '../../src/webhooks/dispatch/in-flight.ts';
import { createLaneAttempts } from '../../src/webhooks/dispatch/lane-attempts.ts';
import type { LaneClaims } from '../../src/webhooks/dispatch/lane-claims.ts';
import { LaneQueues } from '../../src/webhooks/dispatch/lane-queues.ts';
import type { Attempted, Sender } from '../../src/webhooks/dispatch/webhook-sender.ts';
import { untilTrue } from '../support/eventually.ts';

const deliveryOf = (id: string) => ({
  ...{ id, team_id: 'team', subscription_id: 'subscription', subscription_version: 1, shard: 0 },
  ...{ day: '2026-01-01', event_id: 'event', event_type: 'contact.created', body: '{}' },
  ...{ trigger: 'event', attempt_count: 0, schedule_step: 0, renewed_at: '', traceparent: null },
  ...{ rate_limit_per_second: null, max_concurrency: null, ordering: 'none' as const },
});

function acceptedOf(id: string): Attempted {
  const delivery = deliveryOf(id);
  const { day, renewed_at, trigger } = delivery;
  const outcome = {
    ...{ day, id, renewed_at, trigger, status: 'delivered' as const, uses_step: true },
    ...{ next_attempt_at: null, url: 'https://receiver.example', remote_ip: null },
    ...{ requested_at: '', responded_at: '', duration_ms: 1, http_status: 204 },
    ...{ response_headers: null, response_body: null, response_truncated: false },
    ...{ error_code: null, error_detail: null },
  };
  return { delivery, outcome };
}

/** A lane whose Postgres stores a batch once `finish` is called. */
function laneOf(connection: { isThere: boolean }) {
  const trips: (() => void)[] = [];
  const recorder: AttemptRecorder = {
    record: () => new Promise((resolve) => trips.push(() => resolve(true))),
  };
  const inFlight = createInFlight(0);
  const writer = createAttemptWriter({
    ...{ recorder, inFlight, fence: { lane: 0, token: 1 }, onWritten: () => undefined },
    ...{ counts: { delivered: 0, failed: 0 }, teams: createBusiestTeams() },
    isConnected: () => connection.isThere,
  });
  return { writer, inFlight, trips };
}

test('a lane whose outcomes are stored slowly is stalled until they are', async () => {
  const { writer, trips } = laneOf({ isThere: true });
  const later = () => performance.now() + 1_000;
  expect(writer.isStalled(later())).toBe(false);
  writer.add([acceptedOf('first')]);
  await untilTrue(() => trips.length === 1);
  expect(writer.isStalled(later())).toBe(true);
  trips[0]?.();
  await untilTrue(() => !writer.isStalled(later()));
});

test('a lane without Postgres attempts nothing, and goes on when it is back', async () => {
  const connection = { isThere: false };
  const { writer, inFlight } = laneOf(connection);
  const attempted: string[] = [];
  const sender: Partial<Sender> = {
    room: () => 1,
    attempt: ({ id }) => {
      attempted.push(id);
      return new Promise(() => undefined);
    },
  };
  const none: Partial<Database & LaneClaims> = {};
  const queues = new LaneQueues(
    none as Database,
    () => true,
    () => undefined,
  );
  await queues.enqueue({ claimed: [deliveryOf('first')], covers: () => true }, new Map());
  const attempts = createLaneAttempts({
    ...{ sender: sender as Sender, claims: none as LaneClaims, queues, inFlight, writer },
    ...{ signal: new AbortController().signal, isEnding: () => false, wakeUp: () => undefined },
  });
  attempts.sendDue();
  expect(attempted).toEqual([]);
  connection.isThere = true;
  attempts.sendDue();
  expect(attempted).toEqual(['first']);
});
