import { Webhook } from 'standardwebhooks';
import { persist, send } from '../../world/client.ts';
import { comesTrue } from '../../world/moments.ts';
import { newTeam } from '../../world/teams.ts';
import type { Team } from '../../world/teams.ts';
import { killAtRandom } from '../kills.ts';
import type { Report } from '../report.ts';
import type { World } from '../world.ts';

const copies = 64;
/** Ids whose copies are under way at the same time. */
const idBatch = 4;
const patient = { deadlineMs: 60_000 };

/**
 * Callbacks that a provider sends again and again: every id many times at once, through both API
 * processes, while these and Postgres are killed. One delivery and one effect each.
 */
export async function inbound(world: World, report: Report): Promise<void> {
  const { bases, isShort, victims, note } = world;
  const random = world.random.fork('inbound');
  const ids = isShort ? 60 : 2_000;
  const kills = isShort ? 2 : 10;
  const team = await newTeam(world);
  const receiver = await newReceiver(team);
  const webhook = new Webhook(receiver.secret);

  let next = 0;
  let done = 0;
  const found = { unanswered: 0, acceptedTwice: 0, placesThatDiffer: 0 };
  async function work() {
    while (next < ids) {
      const id = `callback-${String((next += 1))}`;
      const bytes = JSON.stringify({
        kind: 'generic_hmac',
        event_type: 'account.funded',
        event_id: id,
        occurred_at: new Date().toISOString(),
        contact_unique_id: receiver.contactKey,
        objective_key: receiver.objectiveKey,
      });
      const at = new Date();
      const headers = {
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
        'webhook-signature': webhook.sign(id, at, bytes),
      };
      const replies = await Promise.all(
        Array.from({ length: copies }, (_, copy) =>
          persist(bases, copy, 'POST', receiver.path, { bytes, headers }),
        ),
      );
      const answered = replies.filter(({ status }) => status === 200);
      found.unanswered += copies - answered.length;
      const accepted = answered.filter(({ body }) => body.status === 'accepted');
      if (accepted.length > 1) found.acceptedTwice += 1;
      if (new Set(answered.map(({ body }) => body.delivery_id)).size !== 1) {
        found.placesThatDiffer += 1;
      }
      done += 1;
    }
  }
  const plan = { random, note, pauses: { shortestMs: 500, maxMs: isShort ? 2_000 : 6_000 } };
  await Promise.all([
    killAtRandom([...victims.api, ...victims.postgres], { ...plan, times: kills }),
    ...Array.from({ length: idBatch }, work),
  ]);
  const forged = await send(bases[0] ?? '', 'POST', receiver.path, {
    bytes: '{"kind":"generic_hmac"}',
    headers: { 'webhook-id': 'forged', 'webhook-timestamp': '1', 'webhook-signature': 'v1,AAAA' },
  });
  // The workflow applies callbacks that could not be applied immediately.
  await comesTrue(async () => (await readBooks(world, team)).waiting === 0, 60_000, 250);

  const books = await readBooks(world, team);
  report.exactly('inbound.kills', kills, kills);
  report.exactly('inbound.ids', done, ids);
  report.exactly('inbound.unanswered', found.unanswered, 0);
  report.exactly('inbound.accepted_twice', found.acceptedTwice, 0);
  report.exactly('inbound.answers_that_name_another_delivery', found.placesThatDiffer, 0);
  report.exactly('inbound.forged_answer', forged.status, 401);
  report.exactly('inbound.deliveries', books.deliveries, ids);
  report.exactly('inbound.processed', books.processed, ids);
  report.exactly('inbound.engagement_events', books.events, ids);
  report.exactly('inbound.completions', books.completions, ids);
  report.atMost('inbound.duplicates_not_counted', copies * ids - ids - books.duplicates, 0);
}

/** A receiver, and a contact that can complete an objective again and again. */
export async function newReceiver(team: Team) {
  const contact = await team.must('POST', '/v2/partner/contacts', { unique_id: 'customer-1' });
  const objective = await team.must('POST', '/v2/partner/objectives', {
    name: 'Funding',
    key: 'funding',
    is_repeatable: true,
  });
  const made = await team.must('POST', '/v2/partner/incoming-webhook-receivers', {
    receiver_kind: 'generic_hmac',
  });
  return {
    id: String(made.id),
    path: new URL(String(made.receive_url)).pathname,
    secret: String(made.secrets.relay_secret),
    contactKey: String(contact.unique_id),
    objectiveKey: String(objective.key),
  };
}

/** The callbacks of a team in the database, and their effects. */
async function readBooks({ database }: World, { id }: Team) {
  const [row] = await database.read(
    (sql) => sql<
      [
        Record<
          'deliveries' | 'processed' | 'waiting' | 'duplicates' | 'events' | 'completions',
          number
        >,
      ]
    >`
      select d.*,
        (select count(*)::int from engagement_events
         where team_id = ${id} and source = 'inbound') as events,
        (select count(*)::int from objective_completions
         where team_id = ${id} and source = 'inbound' and voided_at is null) as completions
      from (
        select count(*) filter (where http_status = 200)::int as deliveries,
          count(*) filter (where status = 'processed')::int as processed,
          count(*) filter (where next_attempt_at is not null)::int as waiting,
          coalesce(sum(duplicate_count), 0)::int as duplicates
        from inbound_deliveries
        where team_id = ${id}
      ) d`,
    patient,
  );
  return row;
}
