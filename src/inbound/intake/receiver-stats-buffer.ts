import { randomUUID } from 'node:crypto';
import type { Database } from '../../platform/database/client.ts';
import { recordEvent } from '../../platform/events/record.ts';
import { incomingWebhookReceiverSignatureFailing } from '../events.ts';
import type { Log } from '../../platform/observability/log.ts';
import { toTimestamp } from '../../platform/time/rules.ts';
import { crossesFailureThreshold } from '../incoming-webhook-receivers/rules.ts';
import type { KnownReceiver } from './known-receivers.ts';
import {
  admitRejections,
  insertDeliveries,
  nextReceiverEvent,
  recordObservation,
} from './queries.ts';
import type { Observation } from './queries.ts';
import { linkColumns } from './store.ts';

/** A rejected callback; nothing of its body is stored. */
export interface Rejection {
  status: 'rejected_signature' | 'rejected_invalid';
  signatureStatus: 'verified' | 'unsigned' | 'invalid' | 'missing' | 'expired';
  httpStatus: number;
  code: string;
  sizeBytes: number;
  receivedAtMs: number;
}

interface Pending extends Observation {
  rejections: object[];
}

const pauseMs = 1_000;
/** Refused calls of one receiver that get a row in an hour; the rest is counted. */
const maxRejectionsPerHour = 100;

/**
 * Writes what calls change of their receivers: at once when it was quiet, then at most once a second
 * per receiver and process, so that calls never queue on a row. What is not yet written when the
 * process dies is lost, which these figures may be.
 */
export class ReceiverStatsBuffer {
  readonly #database: Database;
  readonly #log: Log;
  readonly #publicBaseUrl: string;
  readonly #pending = new Map<string, Pending>();
  /** Receivers that were written a moment ago. */
  readonly #resting = new Map<string, NodeJS.Timeout>();
  readonly #writing = new Set<Promise<void>>();
  #isClosed = false;

  constructor(database: Database, log: Log, publicBaseUrl: string) {
    this.#database = database;
    this.#log = log;
    this.#publicBaseUrl = publicBaseUrl;
  }

  /** Counts an accepted callback: its signature was valid, or none was required. */
  taken(receiver: KnownReceiver, receivedAtMs: number): void {
    this.#observe(receiver, (observed) => {
      observed.lastReceivedAt = toTimestamp(receivedAtMs);
      observed.failures = 0;
      observed.hasReset = true;
    });
  }

  rejected(receiver: KnownReceiver, rejection: Rejection): void {
    this.#observe(receiver, (observed) => {
      if (rejection.status === 'rejected_signature') {
        observed.failures += 1;
        observed.lastFailureAt = toTimestamp(rejection.receivedAtMs);
      }
      // Beyond the bound of an hour only their number matters.
      observed.rejections.push(
        observed.rejections.length < maxRejectionsPerHour ? rowOf(receiver, rejection) : {},
      );
    });
  }

  #observe(receiver: KnownReceiver, change: (observed: Pending) => void): void {
    change(this.#pendingOf(receiver));
    if (!this.#resting.has(receiver.id)) this.#write(receiver.id);
  }

  #pendingOf({ id, teamId }: KnownReceiver): Pending {
    const known = this.#pending.get(id);
    if (known) return known;
    const fresh = {
      teamId,
      receiverId: id,
      lastReceivedAt: null,
      lastFailureAt: null,
      failures: 0,
      hasReset: false,
      rejections: [],
    };
    this.#pending.set(id, fresh);
    return fresh;
  }

  #write(id: string): void {
    const observed = this.#pending.get(id);
    if (!observed) return;
    this.#pending.delete(id);
    if (!this.#isClosed) {
      const timer = setTimeout(() => {
        this.#resting.delete(id);
        this.#write(id);
      }, pauseMs);
      timer.unref();
      this.#resting.set(id, timer);
    }
    const done = this.#store(observed)
      .catch((error: unknown) => {
        const about = { err: error, receiver_id: id };
        this.#log.warn(about, 'the counters of a receiver cannot be written');
      })
      .finally(() => this.#writing.delete(done));
    this.#writing.add(done);
  }

  async #store(observed: Pending): Promise<void> {
    const { teamId, receiverId, rejections } = observed;
    await this.#database.transact(async (sql) => {
      const { before, after } = await recordObservation(sql, observed);
      if (rejections.length > 0) {
        const admitted = await admitRejections(
          sql,
          observed,
          rejections.length,
          maxRejectionsPerHour,
        );
        if (admitted > 0) await insertDeliveries(sql, rejections.slice(0, admitted), []);
      }
      if (!crossesFailureThreshold(before, after)) return;
      const receiver = await nextReceiverEvent(sql, { teamId, receiverId }, this.#publicBaseUrl);
      if (!receiver) return;
      recordEvent(sql, {
        teamId,
        type: incomingWebhookReceiverSignatureFailing,
        data: receiver,
        sequence: receiver.event_sequence,
      });
    });
  }

  /** Adds the unwritten statistics of this process to the stored row. */
  overlay(row: {
    id: string;
    last_received_at: string | null;
    last_signature_failure_at: string | null;
    consecutive_signature_failures: number;
  }) {
    const observed = this.#pending.get(row.id);
    if (!observed) return {};
    const { hasReset, failures } = observed;
    return {
      last_received_at: observed.lastReceivedAt ?? row.last_received_at,
      last_signature_failure_at: observed.lastFailureAt ?? row.last_signature_failure_at,
      consecutive_signature_failures:
        (hasReset ? 0 : row.consecutive_signature_failures) + failures,
    };
  }

  /** Writes what is left. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#resting.values()) clearTimeout(timer);
    for (const id of [...this.#pending.keys()]) this.#write(id);
    await Promise.all(this.#writing);
  }
}

function rowOf({ teamId, id, definition }: KnownReceiver, rejection: Rejection) {
  const receivedAt = toTimestamp(rejection.receivedAtMs);
  return {
    day: receivedAt.slice(0, 10),
    id: randomUUID(),
    team_id: teamId,
    receiver_id: id,
    receiver_kind: definition.kind,
    status: rejection.status,
    signature_status: rejection.signatureStatus,
    is_test: false,
    http_status: rejection.httpStatus,
    duplicate_count: 0,
    size_bytes: rejection.sizeBytes,
    attempts: 0,
    error: { code: rejection.code, detail: 'The call was rejected; its body is not stored.' },
    ...linkColumns(undefined),
    received_at: receivedAt,
    processed_at: receivedAt,
    replay_count: 0,
  };
}
