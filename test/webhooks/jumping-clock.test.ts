import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { newKeyFile } from '../../src/platform/auth/keyring.ts';
import { scratchDirectory } from '../local/scratch.ts';
import { startTestApi } from '../support/api.ts';
import type { TestTeam } from '../support/api.ts';
import { environmentNames, required } from '../support/environment.ts';
import { eventually, untilTrue } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import { newNamespace } from '../support/worker.ts';
import { startChildWorker } from './a-worker.ts';

const clockFile = join(scratchDirectory(), 'clock');
const setClock = (minutes: number) => {
  writeFileSync(clockFile, String(minutes * 60_000));
};
const preload = fileURLToPath(new URL('jumping-clock.mjs', import.meta.url));

/** For each jump: what is recorded before it, fails once, and is tried again after it. */
const perJump = 10;
const jumps = [-10, 10, 0] as const;

async function cause(team: TestTeam) {
  for (let at = 0; at < perJump; at += 1) {
    const reply = await team.post('/v2/partner/contacts', {
      email: `p${String(at)}@example.com`,
    });
    expect(reply.status).toBe(201);
  }
}

test('a worker with a jumping clock loses and doubles nothing, retries in time and signs the current time', async () => {
  const settings = {
    ONWARD_KEYS: JSON.stringify(newKeyFile()),
    WEBHOOK_LANE_IDLE_SECONDS: '1',
    WEBHOOK_RETRY_SCHEDULE_SECONDS: '1,1,1,600,600',
  };
  setClock(10);
  const api = await startTestApi(settings);
  const receiver = await startReceiver();
  const worker = await startChildWorker(api, {
    ...settings,
    NODE_OPTIONS: `--import=${preload}`,
    JUMPING_CLOCK: clockFile,
    TEMPORAL_ADDRESS: required(environmentNames.temporalAddress),
    TEMPORAL_NAMESPACE: await newNamespace(),
  });
  try {
    const team = await api.newTeam();
    await team.post('/v2/partner/webhook-subscriptions', {
      target_url: receiver.url,
      event_types: ['contact.*'],
    });
    const seen = new Set<string>();
    receiver.answer(({ headers }) => {
      const id = String(headers['webhook-id']);
      const isKnown = seen.has(id);
      seen.add(id);
      return { status: isKnown ? 204 : 503 };
    });
    let events = 0;
    for (const minutes of jumps) {
      await cause(team);
      events += perJump;
      await untilTrue(() => seen.size === events);
      setClock(minutes);
      await eventually(
        () =>
          api.db.look<{ status: string; count: number }>(
            (sql) => sql`
              select status, count(*)::int as count from webhook_deliveries group by 1 order by 1`,
          ),
        (rows) => rows.length === 1 && rows[0]?.status === 'delivered',
        20_000,
      );
    }
    const attempts = await api.db.look<{ numbers: number[]; codes: number[]; is_ordered: boolean }>(
      (sql) => sql`
        select array_agg(number order by number) as numbers,
          array_agg(http_status order by number) as codes,
          bool_and(responded_at >= requested_at and duration_ms >= 0) as is_ordered
        from webhook_attempts group by delivery_id`,
    );
    const once = { numbers: [1, 2], codes: [503, 204], is_ordered: true };
    expect(attempts).toEqual(Array.from({ length: events }, () => once));
    expect(receiver.received).toHaveLength(2 * events);
    // As receivers do, who refuse what is signed for another time.
    for (const { headers, atMs } of receiver.received) {
      expect(Math.abs(Number(headers['webhook-timestamp']) * 1_000 - atMs)).toBeLessThan(60_000);
    }
  } finally {
    await worker.stop();
    await receiver.stop();
    await api.stop();
  }
});
