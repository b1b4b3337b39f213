import type { Sql } from '../../platform/database/sql.ts';
import { recordEvents } from '../../platform/events/record.ts';
import { groupBy } from '../../platform/group-by.ts';
import { contactTopicConsentChanged } from '../events.ts';
import type { FormerAddress } from '../consents/rules.ts';
import {
  insertTopicConsentChanges,
  keepFormerTopicOptOuts,
  listTopicConsents,
  raiseVersions,
  writeTopicConsents,
} from './queries.ts';
import { changedTopicConsents, formerTopicOptOuts, topicKeyOf } from './rules.ts';
import type { RequestedTopicConsent } from './rules.ts';

interface Changed {
  /** The new versions of the contacts that changed. */
  versions: ReadonlyMap<string, { lock_version: number; updated_at: string }>;
  /** The choices that were not recorded already. */
  changed: ReadonlySet<RequestedTopicConsent>;
}

const nothing: Changed = { versions: new Map(), changed: new Set() };

/**
 * Records choices of contacts, which the caller has locked, with their history and one event for
 * each contact. Choices that are recorded already change nothing.
 */
export async function changeTopicConsents(
  sql: Sql,
  teamId: string,
  requested: readonly RequestedTopicConsent[],
  { clientId }: { clientId: string | null },
): Promise<Changed> {
  const { recorded, changed } = await keepTopicConsents(sql, teamId, requested, clientId);
  if (recorded.length === 0) return nothing;
  const byContact = groupBy(recorded, ({ contact_id }) => contact_id);
  const raised = await raiseVersions(sql, teamId, [...byContact.keys()]);
  recordEvents(
    sql,
    teamId,
    raised.map(({ id, lock_version }) => ({
      type: contactTopicConsentChanged,
      sequence: lock_version,
      data: {
        id,
        type: 'contact_topic_consents',
        team_id: teamId,
        contact_id: id,
        changes: (byContact.get(id) ?? []).map(({ contact_id: _, ...change }) => change),
      },
    })),
  );
  return { versions: new Map(raised.map(({ id, ...version }) => [id, version])), changed };
}

/**
 * Keeps an opt-out with an archived contact, which is locked, and with its history, for those that
 * have its address later. No event: nobody mirrors the contact any more.
 */
export async function keepTopicOptOut(
  sql: Sql,
  teamId: string,
  optOut: RequestedTopicConsent,
): Promise<void> {
  await keepTopicConsents(sql, teamId, [optOut], null);
}

/** Keeps the opt-outs of contacts that lose an address, for those that get it later. */
export async function keepTopicOptOutsOf(
  sql: Sql,
  teamId: string,
  former: readonly (FormerAddress & { contactId: string })[],
): Promise<void> {
  if (former.length === 0) return;
  const ids = [...new Set(former.map(({ contactId }) => contactId))];
  const stored = await listTopicConsents(sql, teamId, ids);
  await keepFormerTopicOptOuts(sql, teamId, formerTopicOptOuts(stored, former));
}

/** Keeps an opt-out that its recipient has just made from a former address of a contact. */
export async function keepFormerTopicOptOut(
  sql: Sql,
  teamId: string,
  former: FormerAddress,
  optOut: Pick<RequestedTopicConsent, 'contact_id' | 'topic_id' | 'source'>,
): Promise<void> {
  const updated_at = new Date().toISOString();
  await keepFormerTopicOptOuts(sql, teamId, [{ ...former, ...optOut, updated_at }]);
}

async function keepTopicConsents(
  sql: Sql,
  teamId: string,
  requested: readonly RequestedTopicConsent[],
  clientId: string | null,
) {
  if (requested.length === 0) return { recorded: [], changed: new Set<RequestedTopicConsent>() };
  const ids = [...new Set(requested.map(({ contact_id }) => contact_id))];
  const updated_at = new Date().toISOString();
  const stored = await listTopicConsents(sql, teamId, ids);
  const changes = changedTopicConsents(stored, requested, updated_at);
  const changed = new Set(changes.map((change) => change.requested));
  if (changes.length === 0) return { recorded: [], changed };
  const last = new Map(changes.map((change) => [topicKeyOf(change.requested), change.requested]));
  const recorded = changes.map(({ requested: one, previous: before }) => {
    const { contact_id, topic_id, channel, status, source, evidence } = one;
    const proof = evidence === undefined ? {} : { evidence };
    return {
      contact_id,
      topic_id,
      channel,
      consent: { status, source, ...proof, updated_at },
      previous: before && {
        status: before.status,
        source: before.source,
        ...(before.evidence !== undefined && { evidence: before.evidence }),
        updated_at: before.updated_at,
      },
    };
  });
  await writeTopicConsents(sql, teamId, [...last.values()], updated_at);
  await insertTopicConsentChanges(sql, teamId, clientId, recorded);
  return { recorded, changed };
}
