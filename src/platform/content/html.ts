import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import sanitizeHtml from 'sanitize-html';
import { fail } from '../http/errors.ts';
import {
  allowedAttributes,
  allowedElements,
  isSafeAttribute,
  unseenElements,
} from './allowed-markup.ts';
import { optOutAttribute } from './links.ts';
import { limitProblem, maxDepth } from './markup-limits.ts';
import { hasTooMuchLiquid, findPieces } from './pieces.ts';
import { removedFrom } from './removed-markup.ts';
import type { Removed } from './removed-markup.ts';
import { styleSheetOf } from './style-sheets.ts';
import { withAllowedStyles } from './styles.ts';

/**
 * HTML that partners write and recipients see: an allow-list of elements, attributes, styles and
 * schemes; everything else is dropped, scripts with their contents. E-mails keep style sheets.
 */

const options: sanitizeHtml.IOptions = {
  allowedTags: allowedElements,
  allowedAttributes: {
    ...allowedAttributes,
    a: [
      ...allowedAttributes.a.filter((name) => name !== optOutAttribute),
      { name: optOutAttribute, values: ['true', 'false'] },
    ],
  },
  nonTextTags: unseenElements,
  selfClosing: ['br', 'wbr', 'hr', 'img', 'col'],
  // `transformTags` filters styles: a parser of style sheets costs ten times as much.
  parseStyleAttributes: false,
  // `transformTags` checks every address with its own function.
  allowedSchemesAppliedToAttributes: [],
  nestingLimit: maxDepth,
  transformTags: {
    '*': (tagName, attribs) => ({
      tagName,
      attribs: withAllowedStyles(withSafeAddresses(tagName, attribs)),
    }),
    // The body of a whole document has its font and its background.
    body: (_, { bgcolor, ...attribs }) => ({
      tagName: 'div',
      attribs: withAllowedStyles(
        bgcolor === undefined
          ? attribs
          : { ...attribs, style: `background-color:${bgcolor};${attribs['style'] ?? ''}` },
      ),
    }),
  },
};

/** The attributes with their addresses trimmed, and without those that are not safe. */
function withSafeAddresses(
  tagName: string,
  attribs: sanitizeHtml.Attributes,
): sanitizeHtml.Attributes {
  let kept = attribs;
  for (const name of ['href', 'src', 'background']) {
    const { [name]: address, ...others } = kept;
    if (address === undefined) continue;
    const isSafe = isSafeAttribute(tagName, name, address);
    kept = isSafe ? { ...kept, [name]: address.trim() } : others;
  }
  // A page that opens another must not let it reach back.
  return tagName === 'a' && kept['target'] ? { ...kept, rel: 'noopener noreferrer' } : kept;
}

/**
 * Why a text is not accepted as HTML; undefined where it is, and where it has too much Liquid, which
 * is refused as such: each piece of it would be replaced by a longer one. The time is linear.
 */
export function htmlProblem(html: string): string | undefined {
  if (hasTooMuchLiquid(html)) return undefined;
  return limitProblem(withPlaceholders(html).text);
}

/** Which parts are listed, and whether style sheets stay, as in e-mails. */
interface Listing {
  only?: Removed['kind'];
  styleSheets?: boolean;
}

/** The parts of a source that sanitizing removes. The source has no `htmlProblem`. */
export function removedMarkup(html: string, listing: Listing = {}): Removed[] {
  const { text, restore } = withPlaceholders(html);
  const { only, styleSheets = false } = listing;
  return removedFrom(text, { styleSheets, ...(only && { only }) }).map((one) => ({
    ...one,
    name: restore(one.name),
  }));
}

/**
 * Sanitized texts by source, which a message shows to many recipients and an editor many times.
 */
const sanitized = new LRUCache<string, string>({
  maxSize: 2_000_000,
  sizeCalculation: (clean, html) => clean.length + html.length + 1,
});

/**
 * Drops what is not allowed; a second run changes nothing more. With `liquid: true`, for sources,
 * tags and outputs of Liquid stay where text and values of attributes stay, so that comparisons in
 * them are not parsed as markup. After rendering, braces are text like any other (`liquid: false`).
 * With `styleSheets`, for e-mails, style sheets stand at the beginning, as one.
 * Throws 422 where the text exceeds `htmlLimits`.
 */
export function sanitizeMarkup(
  html: string,
  { liquid, styleSheets = false }: { liquid: boolean; styleSheets?: boolean },
): string {
  const { text, restore } = liquid
    ? withPlaceholders(html)
    : { text: html, restore: (clean: string) => clean };
  const kind = styleSheets ? 'e-mail' : 'html';
  const key = `${liquid && text !== html ? 'liquid' : ''} ${kind} ${html}`;
  const known = sanitized.get(key);
  if (known !== undefined) return known;
  const problem = limitProblem(text);
  if (problem !== undefined) {
    const detail = `The HTML is not accepted: ${problem}.`;
    throw fail('validation_failed', { detail, meta: { rule: 'html' } });
  }
  const sheet = styleSheets ? (styleSheetOf(text)?.written ?? '') : '';
  const beginning = sheet === '' ? '' : `<style>\n${sheet}\n</style>`;
  const clean = restore(beginning + sanitizeHtml(text, options));
  sanitized.set(key, clean);
  if (text === html) sanitized.set(` ${kind} ${clean}`, clean);
  return clean;
}

/** The text with placeholders for its tags and outputs of Liquid, and the way back. */
function withPlaceholders(html: string) {
  // Random letters that no source contains.
  const mark = `liquid${randomBytes(12).toString('hex')}q`;
  const pieces: string[] = [];
  const parts: string[] = [];
  let done = 0;
  for (const { start, end } of findPieces(html)) {
    const place = pieces.push(html.slice(start, end)) - 1;
    parts.push(html.slice(done, start), `${mark}${String(place)}z`);
    done = end;
  }
  const placeholders = new RegExp(`${mark}(\\d+)z`, 'g');
  return {
    text: pieces.length === 0 ? html : [...parts, html.slice(done)].join(''),
    restore: (clean: string) =>
      pieces.length === 0
        ? clean
        : clean.replace(placeholders, (_, at: string) => pieces[Number(at)] ?? ''),
  };
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as HTML shows it, in elements and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
