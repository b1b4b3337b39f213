import { Type } from 'typebox';
import { textAt } from './read-json.ts';

/** Our own ids, which providers echo. Not trusted: looked up within the receiver's team. */
export const correlation = {
  do_message_id: Type.Optional(Type.String()),
  do_contact_id: Type.Optional(Type.String()),
  do_journey_id: Type.Optional(Type.String()),
};

/** The ids that an object has among its keys. */
export function correlationIn(value: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.keys(correlation).flatMap((name) => {
      const id = textAt(value, name);
      return id === undefined ? [] : [[name, id] as const];
    }),
  );
}
