import { Type } from 'typebox';
import type { Static } from 'typebox';
import { Compile } from 'typebox/compile';

const Frozen = Type.Object({
  id: Type.String(),
  type: Type.String(),
  timestamp: Type.String(),
  team_id: Type.String(),
  api_version: Type.String(),
  sequence: Type.Integer(),
  data: Type.Object({ id: Type.String(), type: Type.Optional(Type.String()) }),
});
/** An event as it was recorded; `data` and `previous` have further fields. */
export type RecordedBody = Static<typeof Frozen>;

const frozen = Compile(Frozen);

/**
 * Reduces an event to the resource that changed and the time, without its data. It depends on the
 * recorded event alone, so that every attempt sends the same bytes.
 */
export function thinEvent({ data, ...event }: RecordedBody) {
  const { id, type, timestamp, team_id, api_version, sequence } = event;
  const head = { id, type, timestamp, team_id, api_version, sequence };
  const kind = data.type ?? type.slice(0, type.lastIndexOf('.'));
  return { ...head, data: { id: data.id, type: kind, truncated: true as const } };
}

/** The thin form of a recorded body. */
export function thinBody(body: string): string {
  return JSON.stringify(thinEvent(frozen.Parse(JSON.parse(body))));
}
