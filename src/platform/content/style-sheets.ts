import { Parser } from 'htmlparser2';
import { LRUCache } from 'lru-cache';
import { CssSyntaxError, parse } from 'postcss';
import type { AtRule, ChildNode, Rule } from 'postcss';
import { unseenElements } from './allowed-markup.ts';
import { cutText } from '../cut-text.ts';
import { declarationsOf } from './styles.ts';

/**
 * Style sheets in the HTML of e-mails: rules for elements and classes, and media queries, by which
 * templates fit a narrow screen and a dark one. They hold for the whole e-mail, in which everything
 * is the author's.
 */

/** Limits of all style sheets of a text; what exceeds them is removed as a whole. */
const sheetLimits = { characters: 20_000, rules: 300 };

/** A part of a style sheet that does not stay, however often; its name is cut. */
interface RemovedStyle {
  kind: 'rule' | 'style';
  name: string;
  count: number;
}

/** A style sheet as it stays, and what does not; undefined where it is too large or no CSS. */
type Sheet = { written: string; removed: readonly RemovedStyle[] } | undefined;

/** Notes a part that does not stay. */
type Remove = (kind: RemovedStyle['kind'], name: string) => void;

const maxNameLength = 100;
/** Different parts at most that are named. */
const maxNamed = 50;
const unseen = new Set(unseenElements);

/** The style sheets of a text, as one. The time is linear. */
export function styleSheetOf(html: string): Sheet {
  if (!/<style/i.test(html)) return { written: '', removed: [] };
  const texts: string[] = [];
  /** Open elements that no reader sees, such as `svg`. */
  let hidden = 0;
  let isSheet = false;
  /** The end of an open sheet. */
  let end = '';
  const parser = new Parser({
    onopentag(name, { media, type = 'text/css' }) {
      isSheet = name === 'style' && hidden === 0 && type.trim().toLowerCase() === 'text/css';
      if (unseen.has(name)) hidden += 1;
      if (!isSheet) return;
      const isForSome = media !== undefined && !/^\s*(?:all\s*)?$/i.test(media);
      if (isForSome) texts.push(`@media ${media}{`);
      end = isForSome ? '}\n' : '\n';
    },
    ontext(text) {
      if (isSheet) texts.push(text);
    },
    onclosetag(name) {
      if (isSheet) texts.push(end);
      isSheet = false;
      if (unseen.has(name)) hidden -= 1;
    },
  });
  parser.end(html);
  const css = texts.join('');
  return isTooLarge(css) ? undefined : cleaned(css);
}

/** Sheets by their text: a message has one for all its recipients. */
const sheets = new LRUCache<string, { sheet: Sheet }>({ max: 200 });

function cleaned(css: string): Sheet {
  const known = sheets.get(css);
  if (known) return known.sheet;
  const sheet = clean(css);
  sheets.set(css, { sheet });
  return sheet;
}

const isTooLarge = (css: string) =>
  css.length > sheetLimits.characters || css.split('{').length > sheetLimits.rules;

function clean(css: string): Sheet {
  const nodes = nodesOf(css);
  if (!nodes) return undefined;
  const removed = new Map<string, RemovedStyle>();
  const remove: Remove = (kind, text) => {
    const name = cutText(text.replaceAll(/\s+/g, ' ').trim(), maxNameLength);
    const key = `${kind} ${name}`;
    const known = removed.get(key);
    if (known) known.count += 1;
    else if (removed.size < maxNamed) removed.set(key, { kind, name, count: 1 });
  };
  const written = writtenNodes(nodes, remove, 0).join('\n');
  return { written, removed: [...removed.values()] };
}

function nodesOf(css: string): readonly ChildNode[] | undefined {
  try {
    // Browsers skip the marks of comments of HTML, which old templates have.
    return parse(css.replaceAll(/<!--|-->/g, ' ')).nodes;
  } catch (error) {
    if (error instanceof CssSyntaxError) return undefined;
    throw error;
  }
}

function writtenNodes(nodes: readonly ChildNode[], remove: Remove, depth: number) {
  return nodes.flatMap((node): string[] => {
    if (node.type === 'rule') return writtenRule(node, remove);
    if (node.type === 'atrule') return writtenMedia(node, remove, depth);
    if (node.type === 'decl') remove('style', node.prop);
    return [];
  });
}

function writtenRule({ selector, selectors, nodes }: Rule, remove: Remove): string[] {
  const kept = selectors.map((one) => one.replaceAll(/\s+/g, ' ').trim());
  if (!kept.every(isAllowedSelector)) {
    remove('rule', selector);
    return [];
  }
  const declarations = nodes.flatMap((node) => {
    if (node.type === 'comment') return [];
    if (node.type !== 'decl') {
      remove('rule', node.toString());
      return [];
    }
    const { prop, value, important } = node;
    return declarationsOf(`${prop}:${value}${important ? '!important' : ''}`).flatMap(
      ({ name, written }) => {
        if (written === undefined) remove('style', name);
        return written ?? [];
      },
    );
  });
  return declarations.length === 0 ? [] : [`${kept.join(',')}{${declarations.join(';')}}`];
}

function writtenMedia({ name, params, nodes }: AtRule, remove: Remove, depth: number): string[] {
  const queries = params.replaceAll(/\s+/g, ' ').trim();
  if (name.toLowerCase() !== 'media' || !isAllowedMedia(queries) || !nodes || depth > 1) {
    remove('rule', `@${name} ${params}`);
    return [];
  }
  const written = writtenNodes(nodes, remove, depth + 1);
  return written.length === 0 ? [] : [`@media ${queries}{`, ...written, '}'];
}

const pseudoClasses =
  /:(?:hover|active|focus|link|visited|root|first-child|last-child|nth-child\((?:\d{1,4}|odd|even)\))(?![\w(-])/gi;

/** A class as old templates write it, such as `*[class="wide"]`. */
const classAttributes = /\[class[~|^$*]?=(?:"[\w -]{1,60}"|'[\w -]{1,60}'|[\w-]{1,60})\]/gi;

/**
 * Whether a selector has only elements, classes, states and combinations of them. Ids are removed
 * from elements; other attributes would send to a server, by a picture, what an address contains.
 */
const isAllowedSelector = (selector: string) =>
  selector !== '' &&
  selector.length <= 300 &&
  /^[\w.*>+~ -]*$/.test(selector.replaceAll(classAttributes, '').replaceAll(pseudoClasses, ''));

/** Features of a screen that a media query may ask for. */
const features = new Set([
  ...['width', 'min-width', 'max-width', 'min-device-width', 'max-device-width'],
  ...['height', 'min-height', 'max-height', 'orientation', 'prefers-color-scheme'],
  ...['min-resolution', '-webkit-min-device-pixel-ratio', 'prefers-reduced-motion', 'hover'],
]);

function isAllowedMedia(queries: string): boolean {
  if (queries.length > 300 || !/^[\w\s():.,-]+$/.test(queries)) return false;
  return [...queries.matchAll(/\(\s*([^):\s]*)/g)].every(([, name = '']) =>
    features.has(name.toLowerCase()),
  );
}
