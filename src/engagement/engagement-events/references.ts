import type { Sql } from '../../platform/database/sql.ts';
import type { Problem } from '../../platform/http/errors.ts';
import { inUtc } from '../../platform/time/rules.ts';
import { referenceFields } from './engagement-event.ts';
import type { ReferenceField, ReportedEvent } from './engagement-event.ts';
import { findReferences } from './queries.ts';
import type { EventToRecord } from './record.ts';

/**
 * Makes reported events out of bodies: every id that they carry is looked up, in one statement, and
 * a message, page or journey brings its template along. What is not the team's is a problem of its event.
 */
export async function resolveReferences(
  sql: Sql,
  teamId: string,
  reported: readonly ReportedEvent[],
  { now, source }: { now: string; source: EventToRecord['source'] },
): Promise<{ event: EventToRecord; problems: Problem[] }[]> {
  const requested = Object.fromEntries(
    referenceFields.map((field) => [
      field,
      [...new Set(reported.flatMap((event) => event[field]?.toLowerCase() ?? []))],
    ]),
  );
  const hasAny = Object.values(requested).some((ids) => ids.length > 0);
  const found = hasAny ? await findReferences(sql, teamId, requested) : [];
  const templates = new Map(found.map((row) => [`${row.field} ${row.id}`, row.template_id]));

  return reported.map((event) => {
    const problems: Problem[] = [];
    const ids: Partial<Record<ReferenceField, string>> = {};
    for (const field of referenceFields) {
      const id = event[field]?.toLowerCase();
      if (id === undefined) continue;
      if (templates.has(`${field} ${id}`)) ids[field] = id;
      else {
        problems.push({
          code: 'validation_failed',
          detail: `The team has no ${field.slice(0, -3).replaceAll('_', ' ')} of this id.`,
          meta: {
            pointer: `/${field}`,
            rule: 'reference_not_found',
          },
        });
      }
    }
    const templateId =
      ids.template_id ??
      templates.get(`message_id ${ids.message_id ?? ''}`) ??
      templates.get(`page_id ${ids.page_id ?? ''}`) ??
      templates.get(`journey_id ${ids.journey_id ?? ''}`);
    const resolved: EventToRecord = {
      ...present({
        channel: event.channel,
        url: event.url,
        user_agent: event.user_agent,
        ip_truncated: event.ip_truncated,
        properties: event.properties,
        value_cents: event.value_cents,
        unique_id: event.unique_id,
        template_id: templateId,
      }),
      ...ids,
      kind: event.kind,
      source,
      is_machine: event.is_machine ?? false,
      occurred_at: event.occurred_at ? inUtc(event.occurred_at) : now,
    };
    return { event: resolved, problems };
  });
}

type Present<Fields> = { [Key in keyof Fields]?: Exclude<Fields[Key], null | undefined> };

/** The fields that have a value. */
function present<Fields extends object>(fields: Fields): Present<Fields>;
function present(fields: object): object {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  );
}
