import { Type } from 'typebox';
import type { Problem } from '../platform/http/errors.ts';
import { recordCompletions } from '../engagement/completions/record.ts';
import { completionProblems } from '../engagement/completions/rules.ts';
import { Objective } from '../campaigns/objectives/objective.ts';
import { holdObjectives } from '../campaigns/objectives/queries.ts';
import type { ObjectiveRow } from '../campaigns/objectives/objective.ts';
import type { Upserted } from '../contacts/upsert/upsert.ts';
import type { OperationCall } from './operation-type.ts';

const scope = 'partner:objectives:write';

/** Objectives of an item about a contact. */
export const completedObjectives = {
  objectives: Type.Optional(
    Type.Record(Objective.properties.key, Type.Boolean(), {
      maxProperties: 50,
      description:
        'By key, whether the contact has completed an objective; true records it once, false says ' +
        `nothing. Needs ${scope}`,
    }),
  ),
};

interface Item {
  objectives?: Record<string, boolean> | undefined;
}

/**
 * Applies items about contacts by `upsert`, and records the objectives that they declare as
 * completed. An item with an objective that cannot be completed fails as a whole.
 */
export async function withObjectives<Body extends Item>(
  call: OperationCall,
  items: readonly Body[],
  upsert: (bodies: readonly Omit<Body, 'objectives'>[]) => Promise<readonly Upserted[]>,
): Promise<Upserted[]> {
  const keys = [...new Set(items.flatMap(completedBy))];
  if (keys.length === 0) return [...(await upsert(items))];
  const { sql, teamId, source } = call;
  const held = await holdObjectives(sql, teamId, { ids: [], keys });
  const objectives = new Map(held.map((row) => [row.key, row]));
  const refused = items.map((item) =>
    completedBy(item).flatMap((key) => problemsWith(key, objectives.get(key), call)),
  );
  const good = items.filter((_, at) => refused[at]?.length === 0);
  const upserted = await upsert(good.map(({ objectives: _, ...body }) => body));

  const completedAt = new Date().toISOString();
  const recorded = await recordCompletions(
    sql,
    teamId,
    good.flatMap((item, at) => {
      const contact = upserted[at];
      if (!contact || contact.status === 'failed') return [];
      return completedBy(item).flatMap((key) => {
        const objective = objectives.get(key);
        // One that is repeatable is completed once by this, too.
        const about = { contactId: contact.id, completedAt, source, uniqueId: 'upsert' };
        return objective ? { objective, ...about } : [];
      });
    }),
  );
  const fresh = new Set(
    recorded.filter(({ isNew }) => isNew).map(({ completion }) => completion.contact_id),
  );
  let next = 0;
  return refused.map((errors): Upserted => {
    if (errors.length > 0) return { status: 'failed', errors };
    const contact = upserted[next++];
    if (!contact) throw new Error('fewer contacts than items');
    const isChanged = contact.status === 'unchanged' && fresh.has(contact.id);
    return isChanged ? { ...contact, status: 'updated' } : contact;
  });
}

const completedBy = ({ objectives = {} }: Item) =>
  Object.keys(objectives).filter((key) => objectives[key] === true);

function problemsWith(
  key: string,
  objective: ObjectiveRow | undefined,
  { principal }: OperationCall,
): Problem[] {
  if (!principal.scopes.has(scope)) {
    const meta = { required_scope: scope, missing_scopes: [scope] };
    return [{ code: 'scope_missing', detail: `objectives needs the scope ${scope}.`, meta }];
  }
  if (objective) {
    const nowMs = Date.now();
    const about = { objective, completedMs: nowMs, hasContact: true, hasAccount: true };
    return completionProblems(about, nowMs);
  }
  const meta = { pointer: `/objectives/${key}`, rule: 'reference_not_found' };
  return [{ code: 'validation_failed', detail: `The team has no objective ${key}.`, meta }];
}
