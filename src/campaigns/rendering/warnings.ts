import { Type } from 'typebox';
import type { Static } from 'typebox';
import { removedKinds } from '../../platform/content/removed-markup.ts';
import type { Removed } from '../../platform/content/removed-markup.ts';
import { cutText } from '../../platform/cut-text.ts';
import { Count, OneOf } from '../../platform/schema/fields.ts';

/** Warnings at most of one response. */
const maxWarnings = 50;
const maxNameLength = 80;

const Warning = Type.Object(
  {
    pointer: Type.String({ description: 'JSON Pointer to the HTML, such as /body_html' }),
    kind: OneOf([...removedKinds], 'The kind of the part that was removed'),
    name: Type.String({
      description:
        'The part, such as video, div[id], position, #top a or [if mso]; cut to 80 characters',
    }),
    count: Count('Number of times that the HTML has it'),
    detail: Type.String({ description: 'A sentence for people' }),
  },
  { title: 'content_warning' },
);
export type Warning = Static<typeof Warning>;

/** In responses to requests that write HTML. */
export const Warnings = Type.Optional(
  Type.Array(Warning, {
    maxItems: maxWarnings,
    description:
      'Parts that were removed from the HTML of this request; absent where none was, and in all other responses',
  }),
);

const reasons: Readonly<Record<Removed['kind'], (name: string) => string>> = {
  element: (name) =>
    name === 'style' || name === 'link'
      ? `The element ${name} was removed. A style sheet stays as style in body_html, if it is CSS of at most 20,000 characters and 300 rules; otherwise write styles into elements.`
      : `The element ${name} was removed: it is not allowed.`,
  attribute: (name) => `The attribute ${name} was removed: it is not allowed.`,
  rule: (name) =>
    `The rule ${name} was removed: rules are for elements, classes, their states, and @media.`,
  style: (name) => `The style ${name} was removed: the property or its value is not allowed.`,
  address: (name) => `The address ${name} was removed: its scheme is not allowed.`,
  comment: (name) => `The comment ${name} was removed with its contents.`,
};

/** Warnings about the HTML at a pointer. */
export function warningsOf(pointer: string, removed: readonly Removed[]): Warning[] {
  return removed.map(({ kind, name, count }) => {
    const cut = cutText(name, maxNameLength);
    return { pointer, kind, name: cut, count, detail: reasons[kind](cut) };
  });
}

/** The field of a response; none where there is nothing to warn of. */
export const warningField = (warnings: readonly Warning[]) =>
  warnings.length === 0 ? {} : { warnings: warnings.slice(0, maxWarnings) };
