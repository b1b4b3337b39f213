import { seedContacts } from '../../../src/commands/seed/queries.ts';
import { startProviderServer } from '../../support/provider-server.ts';
import type { AcceptedMessage, ProviderServer } from '../../support/provider-server.ts';
import { comesTrue, offer, pause } from '../../world/moments.ts';
import { newTeam } from '../../world/teams.ts';
import type { Team } from '../../world/teams.ts';
import { killAtRandom } from '../kills.ts';
import type { Report } from '../report.ts';
import type { World } from '../world.ts';

const templatesPath = '/v2/partner/templates';
const patient = { deadlineMs: 120_000 };
/** Requests of a worker with one provider, and outcomes that are not stored yet. */
const repeatsPerKill = 80;
/** Faults of a provider, in turn. */
const faults = [500, 'nothing', 401, 200] as const;
const faultMs = { full: 4_000, short: 1_500 };

/** A team with two providers of text messages and two templates: a campaign, and one for requests. */
interface SendingTeam {
  team: Team;
  first: ProviderServer;
  second: ProviderServer;
  campaign: { id: string; version: number };
  requestedMessageId: string;
  /** Numbers of its contacts, by id. */
  people: ReadonlyMap<string, string>;
  /** Ids of the sends that were answered. */
  requested: Set<string>;
}

/**
 * Two teams send campaigns and single messages on request through providers of their own, of which
 * the first ones fail in turn, while workers, APIs, Temporal and Postgres are killed. Each message
 * arrives, under one id, through a provider of its team.
 */
export async function sends(world: World, report: Report): Promise<void> {
  const { isShort, note, victims } = world;
  const random = world.random.fork('sends');
  const [count, kills] = isShort ? [400, 4] : [5_000, 25];
  const teams = [await aTeam(world, count), await aTeam(world, count)];
  try {
    for (const one of teams) await enroll(world, one);
    const pauses = { shortestMs: 300, maxMs: isShort ? 1_000 : 3_000 };
    const all = [...victims.api, ...victims.worker, ...victims.temporal, ...victims.postgres];
    let isOver = false;
    const background = [
      ...teams.map((one) => failInTurn(one, isShort, () => isOver)),
      ...teams.map((one) => request(one, () => isOver)),
    ];
    for (const one of background) one.catch(() => undefined);
    const lastKillAtMs = await killAtRandom(all, { random, note, pauses, times: kills });
    isOver = true;
    await Promise.all(background);
    const hasDrained = await comesTrue(() => isDrained(world, teams), 240_000, 500);
    const drainedMs = performance.now() - lastKillAtMs;

    const found = await Promise.all(teams.map((one) => compare(world, one)));
    const sum = (name: keyof (typeof found)[number]) =>
      found.reduce((total, one) => total + one[name], 0);
    report.exactly('sends.kills', kills, kills);
    report.exactly('sends.drained', Number(hasDrained), 1);
    report.atLeast('sends.requested', sum('requested'), isShort ? 10 : 100);
    report.atLeast('sends.by_the_second_provider', sum('bySecond'), count / 20);
    report.exactly('sends.lost', sum('lost'), 0);
    report.exactly('sends.by_others', sum('foreign'), 0);
    report.exactly('sends.other_ids', sum('unknown'), 0);
    report.atMost('sends.repeats', sum('repeats'), kills * repeatsPerKill);
    report.exactly('sends.not_sent', sum('unsent'), 0);
    report.atMost('sends.drained_seconds', drainedMs / 1_000, 180);
  } finally {
    for (const { first, second } of teams) for (const server of [first, second]) server.stop();
  }
}

async function aTeam(world: World, count: number): Promise<SendingTeam> {
  const { database } = world;
  const team = await newTeam(world);
  await team.must('PATCH', '/v2/partner/team', { quiet_hours: null, frequency_cap: null });
  const people = await database.read(async (sql) => {
    await seedContacts(sql, team.id, 1, count);
    return sql<{ id: string; phone: string }[]>`
      update contacts
      set phone = '+1555' || lpad(substr(unique_id, 6), 8, '0'), status = 'active',
        consents = jsonb_set(consents, '{sms,status}', '"subscribed"')
      where team_id = ${team.id}
      returning id, phone`;
  }, patient);
  const [first, second] = [await startProviderServer(), await startProviderServer()];
  for (const [priority, { url }] of [first, second].entries()) {
    await team.must('POST', '/v2/partner/sending-providers', {
      ...{ channel: 'sms', kind: 'sms_b', name: 'Texts', url, secret: team.id },
      ...{ senders: ['+14155550199'], priority: priority + 1 },
    });
  }
  const campaign = await aTemplate(team, { purpose: 'servicing' });
  const requests = await aTemplate(team, {
    ...{ purpose: 'transactional', trigger: { kind: 'on_request' } },
  });
  const phones = new Map(people.map(({ id, phone }) => [id, phone]));
  const requestedMessageId = requests.messageId;
  return {
    team,
    first,
    second,
    campaign,
    requestedMessageId,
    people: phones,
    requested: new Set(),
  };
}

async function aTemplate(team: Team, fields: object) {
  const objectives = await team.must('GET', '/v2/partner/objectives?page[size]=1');
  const objective_ids = [objectives.data[0].id];
  const { id } = await team.must('POST', templatesPath, { name: 'Texts', objective_ids });
  const message = await team.must('POST', `${templatesPath}/${String(id)}/messages`, {
    ...{ name: 'Hello', channel: 'sms', body: 'Hello', respect_quiet_hours: false, ...fields },
  });
  const launched = await team.must('POST', `${templatesPath}/${String(id)}/launch`);
  const version = Number(launched.template_version);
  return { id: String(id), version, messageId: String(message.id) };
}

async function enroll({ database }: World, { team, campaign }: SendingTeam): Promise<void> {
  await database.read(
    (sql) => sql`
      insert into journeys
        (team_id, template_id, template_version, contact_id, enrolled_via, next_due_at)
      select team_id, ${campaign.id}, ${campaign.version}, id, 'api', now()
      from contacts where team_id = ${team.id}`,
    patient,
  );
}

/** The first provider of a team fails in each way, one after the other; in the end it works. */
async function failInTurn(
  { first }: SendingTeam,
  isShort: boolean,
  isOver: () => boolean,
): Promise<void> {
  for (let turn = 0; !isOver(); turn += 1) {
    first.answer(faults[turn % faults.length] ?? 200);
    await pause(isShort ? faultMs.short : faultMs.full);
  }
  first.answer(200);
}

async function request(sending: SendingTeam, isOver: () => boolean): Promise<void> {
  const { team, people, requested, requestedMessageId } = sending;
  const ids = [...people.keys()];
  const path = `/v2/partner/messages/${requestedMessageId}/sends`;
  await offer({ perSecond: 10, limit: 8, until: isOver }, async (index) => {
    const contact_id = ids[index % ids.length];
    const reply = await team.call('POST', path, { contact_id }, `send-${String(index)}`);
    if (reply.status === 201 || reply.status === 202) requested.add(String(reply.body.id));
  });
}

async function isDrained({ database }: World, teams: readonly SendingTeam[]): Promise<boolean> {
  const ids = teams.map(({ team }) => team.id);
  const [row] = await database.read(
    (sql) => sql<{ waits: boolean }[]>`
      select exists (select from message_sends where team_id = any(${ids}))
        or exists (select from journeys where team_id = any(${ids}) and next_due_at is not null)
        as waits`,
    patient,
  );
  return row?.waits === false;
}

/** The messages of a team as its providers have them, against what is stored. */
async function compare(
  { database }: World,
  { team, first, second, people, requested }: SendingTeam,
) {
  const deliveries = await database.read(
    (sql) => sql<{ id: string; contact_id: string; status: string }[]>`
      select id, contact_id, status from message_deliveries where team_id = ${team.id}`,
    patient,
  );
  const accepted = [...first.received, ...second.received];
  const numbers = new Set(people.values());
  const isForeign = ({ to, key }: AcceptedMessage) => !numbers.has(to) || key !== team.id;
  const ids = new Set(accepted.map(({ id }) => id));
  const known = new Set(deliveries.map(({ id }) => id));
  const campaign = deliveries.filter(({ id }) => !requested.has(id));
  const reached = new Set(campaign.map(({ contact_id }) => contact_id));
  return {
    requested: requested.size,
    bySecond: second.received.length,
    foreign: accepted.filter(isForeign).length,
    lost:
      deliveries.filter(({ id }) => !ids.has(id)).length +
      [...requested].filter((id) => !known.has(id)).length +
      [...people.keys()].filter((id) => !reached.has(id)).length,
    unknown: [...ids].filter((id) => id === undefined || !known.has(id)).length,
    repeats: accepted.length - ids.size,
    unsent: deliveries.filter(({ status }) => status !== 'sent').length,
  };
}
