import type { Sql } from '../../platform/database/sql.ts';
import { findBlocks } from '../../campaigns/content-blocks/queries.ts';
import { findMessages } from '../../campaigns/messages/queries.ts';
import { sampleContact, surroundingsOf, valuesFor } from '../../campaigns/rendering/audience.ts';
import { sampleAddresses } from '../../campaigns/rendering/addresses.ts';
import { findTemplates } from '../../campaigns/templates/queries.ts';
import { requireTeam } from '../../team/queries.ts';
import { findSuspendedTeams } from '../../team/suspending/queries.ts';
import { composeNotices } from '../notices/compose-notices.ts';
import { refusalOf, testAddressSealContext } from '../test-sends/send-tests.ts';
import { choicesOf, compose } from './compose.ts';
import { fromOf, numberOf, outcomeOf } from './prepared-message.ts';
import type { Looks, PrepareTools, PreparedMessage } from './prepared-message.ts';
import type { ClaimedSend } from './queries.ts';
import { lookAgainMs } from './rules.ts';
import type { SenderIdentities } from './sender-identities.ts';

/** Messages that are no deliveries: tests and notices. */

interface Moment {
  senders: SenderIdentities;
  looks: Looks;
  nowMs: number;
}

/** Tests show the current message, to a sample person. Their addresses are checked again. */
export async function prepareTests(
  sql: Sql,
  tools: PrepareTools,
  claimed: readonly ClaimedSend[],
  { senders, looks, nowMs }: Moment,
): Promise<PreparedMessage[]> {
  const prepared: PreparedMessage[] = [];
  const suspended = await findSuspendedTeams(sql, teamsOf(claimed));
  for (const send of claimed) {
    if (suspended.has(send.team_id)) {
      prepared.push({ send, outcome: waiting(nowMs) });
      continue;
    }
    const { team_id, id, test_message_id: messageId, sealed_test_address: sealed } = send;
    if (messageId === null || sealed === null) continue;
    const to = tools.keyring.open(sealed, testAddressSealContext(team_id, id));
    const [message] = await findMessages(sql, team_id, [messageId]);
    const [template] = message ? await findTemplates(sql, team_id, [message.template_id]) : [];
    const isRefused = (await refusalOf(sql, tools.keyring, send, to)) !== undefined;
    const blocks = message ? await findBlocks(sql, team_id, message.content_block_ids) : [];
    const route = tools.providers.routeOf(send, message ? numberOf(message) : null, nowMs);
    const sender = { team_id, from_email: message ? fromOf(message.from_email, route) : null };
    const isUnknown = route.kind === 'unknown_sender' || !senders.isAllowed(sender);
    if (!message || !template || isRefused || isUnknown) {
      prepared.push({ send, outcome: { kind: 'drop' } });
      continue;
    }
    const team = await requireTeam(sql, team_id);
    const draft = {
      teamId: team_id,
      id,
      message,
      blocks,
      address: [to] as const,
      dkim: senders.dkimOf(sender),
      values: valuesFor({
        team,
        contact: sampleContact,
        surroundings: surroundingsOf(message, template, tools),
      }),
      teamLocale: team.locale,
      look: looks.get(team_id),
      choices: choicesOf(message, sampleAddresses(tools)),
    };
    const outcome = outcomeOf(route, nowMs, (provider) => ({
      teamId: team_id,
      id,
      correlation: {},
      content: compose(provider, draft),
    }));
    prepared.push({ send, outcome });
  }
  return prepared;
}

/** A notice that is of no use any more is dropped. */
export async function prepareNotices(
  sql: Sql,
  tools: PrepareTools,
  claimed: readonly ClaimedSend[],
  { senders, looks, nowMs }: Moment,
): Promise<PreparedMessage[]> {
  const suspended = await findSuspendedTeams(sql, teamsOf(claimed));
  const held = claimed.filter(({ team_id, notice }) => notice !== null && suspended.has(team_id));
  const notices = claimed.flatMap((send) => {
    if (send.notice === null || suspended.has(send.team_id)) return [];
    const route = tools.providers.routeOf(send, null, nowMs);
    const defaultFrom = route.kind === 'provider' ? route.provider.defaultFrom : '';
    const sender = { team_id: send.team_id, from_email: fromOf(null, route) };
    return [{ send, route, defaultFrom, isAllowed: senders.isAllowed(sender) }];
  });
  const composed = await composeNotices(
    sql,
    tools,
    notices.map(({ send, defaultFrom }) => ({ ...send, defaultFrom })),
    looks,
  );
  const prepared = notices.map(({ send, route, isAllowed }): PreparedMessage => {
    const message = composed.get(send.id);
    if (!message || !isAllowed) return { send, outcome: { kind: 'drop' } };
    return { send, outcome: outcomeOf(route, nowMs, () => message) };
  });
  return [...prepared, ...held.map((send) => ({ send, outcome: waiting(nowMs) }))];
}

const teamsOf = (claimed: readonly ClaimedSend[]) => [
  ...new Set(claimed.map((send) => send.team_id)),
];

/** Until the suspension of the team ends. A code that expires meanwhile is dropped then. */
const waiting = (nowMs: number) => ({ kind: 'wait', untilMs: nowMs + lookAgainMs }) as const;
