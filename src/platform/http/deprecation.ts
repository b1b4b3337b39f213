import { Type } from 'typebox';
import type { Static } from 'typebox';
import { Id, OneOf, Timestamp } from '../schema/fields.ts';

/** A part of the interface, named by the members that its kind has. */
const Target = Type.Object(
  {
    version: Type.Optional(Type.String()),
    method: Type.Optional(Type.String()),
    path: Type.Optional(Type.String()),
    event_type: Type.Optional(Type.String()),
  },
  {
    title: 'deprecation_target',
    description:
      'An endpoint has `method` and `path`, an event type has `event_type`, a version has `version`',
  },
);
type Target = Static<typeof Target>;

/**
 * Deprecation of a part of the interface, with the end of its support. The parameters of a
 * replacement's path are those of the deprecated path.
 */
export const Deprecation = Type.Object(
  {
    deprecated_at: Timestamp(),
    sunset_at: Timestamp('It works until then; at least 12 months after `deprecated_at`'),
    replacement: Type.Union([Target, Type.Null()]),
    reason: Type.String({ description: 'Why, and what to do, in full sentences' }),
  },
  { title: 'deprecation' },
);
export type Deprecation = Static<typeof Deprecation>;

/** A deprecated part of the interface as events show it; capabilities add `docs_url`. */
export const DeprecatedItem = Type.Object(
  {
    id: Type.String({ description: 'The same for every team and every answer' }),
    kind: OneOf(['endpoint', 'event_type']),
    target: Target,
    status: OneOf(['deprecated', 'sunset'], 'sunset: `sunset_at` is in the past'),
    ...Deprecation.properties,
  },
  {
    title: 'deprecated_item',
    examples: [
      {
        id: 'event_type-operation_execution.completed',
        kind: 'event_type',
        target: { event_type: 'operation_execution.completed' },
        status: 'deprecated',
        deprecated_at: '2026-11-25T00:00:00.000Z',
        sunset_at: '2027-11-25T00:00:00.000Z',
        replacement: { event_type: 'operation_execution.succeeded' },
        reason: 'Each terminal state has an event of its own.',
      },
    ],
  },
);
export type DeprecatedItem = Static<typeof DeprecatedItem>;

/** A team and a deprecated part of the interface that it uses. */
export const DeprecationNotice = Type.Object(
  {
    id: Id('The team'),
    type: Type.Literal('team'),
    team_id: Id(),
    deprecation: DeprecatedItem,
  },
  { title: 'deprecation_notice' },
);

const noticeMonths = 12;

/** Checks a declaration when it is loaded: the notice is at least a year. */
export function deprecated(declared: Deprecation): Deprecation {
  const earliest = new Date(declared.deprecated_at);
  earliest.setUTCMonth(earliest.getUTCMonth() + noticeMonths);
  if (new Date(declared.sunset_at) >= earliest) return declared;
  throw new Error(`sunset_at ${declared.sunset_at} is less than 12 months after deprecated_at`);
}

/** The element of lists and events; `name` is unique within the kind. */
export function deprecatedItem(
  kind: DeprecatedItem['kind'],
  name: string,
  target: Target,
  declared: Deprecation,
): DeprecatedItem {
  const isOver = Date.parse(declared.sunset_at) <= Date.now();
  return {
    id: `${kind}-${name}`,
    kind,
    target,
    status: isOver ? 'sunset' : 'deprecated',
    ...declared,
  };
}
