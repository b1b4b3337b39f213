import { Parser } from 'htmlparser2';
import {
  allowedElements,
  documentElements,
  isAllowedAttribute,
  isSafeAttribute,
  unseenElements,
} from './allowed-markup.ts';
import { maxDepth } from './markup-limits.ts';
import { styleSheetOf } from './style-sheets.ts';
import { declarationsOf } from './styles.ts';

/** Kinds of parts of HTML that sanitizing removes. */
export const removedKinds = [
  'element',
  'attribute',
  'style',
  'rule',
  'address',
  'comment',
] as const;

/** A part of HTML that sanitizing removes, however often. */
export interface Removed {
  kind: (typeof removedKinds)[number];
  /** As in `video`, `div[onclick]`, `position`, `#top a`, `javascript:alert(1)`, `[if mso]`. */
  name: string;
  count: number;
}

/** Different parts at most that are listed. */
const maxRemoved = 50;

const allowed = new Set(allowedElements);
const ofDocuments = new Set(documentElements);
const unseen = new Set(unseenElements);

/**
 * Lists the parts of HTML that sanitizing removes, or those of one kind, in their order; those of
 * style sheets come last, where these stay. The time is linear.
 */
export function removedFrom(
  html: string,
  { only, styleSheets }: { only?: Removed['kind']; styleSheets: boolean },
): Removed[] {
  const found = new Map<string, Removed>();
  /** Open elements within one that is removed with its contents, itself included. */
  let hidden = 0;
  let depth = 0;
  let element = '';
  const add = (kind: Removed['kind'], name: string, times = 1) => {
    if (only !== undefined && kind !== only) return;
    const key = `${kind} ${name}`;
    const known = found.get(key);
    if (known) known.count += times;
    else if (found.size < maxRemoved) {
      found.set(key, { kind, name, count: times });
    }
  };
  const sheet = styleSheets ? styleSheetOf(html) : undefined;
  const parser = new Parser({
    onopentagname(name) {
      element = name;
      depth += 1;
      if (hidden > 0 || unseen.has(name)) hidden += 1;
      if (hidden > 1 || ofDocuments.has(name) || (name === 'style' && sheet)) return;
      if (!allowed.has(name)) add('element', name);
      else if (depth > maxDepth) add('element', `${name} in more than ${String(maxDepth)} others`);
    },
    onattribute(name, value) {
      const isBody = element === 'body';
      if (hidden > 0 || !(allowed.has(element) || isBody)) return;
      if (name === 'style') {
        if (only !== undefined && only !== 'style') return;
        for (const declaration of declarationsOf(value)) {
          if (declaration.written === undefined) add('style', declaration.name);
        }
      } else if (!isAllowedAttribute(element, name)) {
        if (!isBody) add('attribute', `${element}[${name}]`);
      } else if (!isSafeAttribute(element, name, value)) add('address', value.trim());
    },
    onclosetag() {
      depth -= 1;
      if (hidden > 0) hidden -= 1;
    },
    oncomment(text) {
      // Contents between two comments, as in <!--[if !mso]><!-->, are not removed.
      const condition = /^\s*(\[if\b[^\]]{0,60}\])>(?!<!(?:--)?\s*$)/i.exec(text)?.[1];
      if (hidden === 0 && condition !== undefined) add('comment', condition);
    },
  });
  parser.end(html);
  for (const { kind, name, count } of sheet?.removed ?? []) add(kind, name, count);
  return [...found.values()];
}
