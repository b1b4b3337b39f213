import { randomBytes } from 'node:crypto';
import sanitizeHtml from 'sanitize-html';
import { isSafeReference, isSafeUrl } from '../schema/safe-url.ts';
import { optOutAttribute } from './links.ts';
import { findPieces } from './pieces.ts';

/**
 * HTML that partners write and recipients see: an allow-list of elements, attributes, styles and
 * schemes; everything else is dropped, scripts and style sheets with their contents.
 */

const colour = [/^#[0-9a-f]{3,8}$/i, /^rgba?\([\d\s,.%]{1,40}\)$/i, /^[a-z]{3,25}$/i];
const lengths = [/^(-?\d{1,4}(\.\d{1,3})?(px|em|rem|%|pt)?\s?){1,4}$/, /^(auto|\s){1,20}$/];
const word = [/^[a-z-]{1,25}$/i];
const border = [/^[\da-z#.\s-]{1,60}$/i];

const options: sanitizeHtml.IOptions = {
  allowedTags: [
    'h1',
    'h2',
    'h3',
    'h4',
    'h5',
    'h6',
    'p',
    'br',
    'hr',
    'div',
    'span',
    'section',
    'center',
    'strong',
    'b',
    'em',
    'i',
    'u',
    's',
    'small',
    'sub',
    'sup',
    'blockquote',
    'pre',
    'code',
    'a',
    'img',
    'figure',
    'figcaption',
    'ul',
    'ol',
    'li',
    'dl',
    'dt',
    'dd',
    'table',
    'caption',
    'thead',
    'tbody',
    'tfoot',
    'tr',
    'th',
    'td',
  ],
  allowedAttributes: {
    '*': ['class', 'style', 'lang', 'dir', 'align', 'role', 'aria-label', 'aria-hidden'],
    a: ['href', 'title', 'target', 'rel', { name: optOutAttribute, values: ['true', 'false'] }],
    img: ['src', 'alt', 'title', 'width', 'height'],
    table: ['width', 'border', 'cellpadding', 'cellspacing', 'bgcolor'],
    th: ['width', 'colspan', 'rowspan', 'valign', 'bgcolor', 'scope'],
    td: ['width', 'colspan', 'rowspan', 'valign', 'bgcolor'],
    tr: ['valign', 'bgcolor'],
  },
  allowedStyles: {
    '*': {
      color: colour,
      'background-color': colour,
      'text-align': word,
      'text-decoration': word,
      'text-transform': word,
      'vertical-align': word,
      'font-family': [/^[\w\s,'"-]{1,120}$/],
      'font-size': lengths,
      'font-style': word,
      'font-weight': [/^(\d{3}|[a-z]{4,8})$/],
      'letter-spacing': lengths,
      'line-height': lengths,
      display: [/^(block|inline|inline-block|none|table|table-cell)$/],
      width: lengths,
      'max-width': lengths,
      height: lengths,
      margin: lengths,
      'margin-top': lengths,
      'margin-right': lengths,
      'margin-bottom': lengths,
      'margin-left': lengths,
      padding: lengths,
      'padding-top': lengths,
      'padding-right': lengths,
      'padding-bottom': lengths,
      'padding-left': lengths,
      border,
      'border-top': border,
      'border-bottom': border,
      'border-radius': lengths,
      'border-collapse': word,
    },
  },
  // `transformTags` checks every address with its own function.
  allowedSchemesAppliedToAttributes: [],
  nestingLimit: 60,
  // A page that opens another must not let it reach back.
  transformTags: {
    a: (tagName, attribs) => {
      const kept = withAddress(attribs, 'href', isSafeReference);
      return { tagName, attribs: kept['target'] ? { ...kept, rel: 'noopener noreferrer' } : kept };
    },
    img: (tagName, attribs) => ({ tagName, attribs: withAddress(attribs, 'src', isSafeImage) }),
  },
};

/** A relative address is one of the page itself. */
const isSafeImage = (url: string) =>
  isSafeReference(url) && (isSafeUrl(url, 'web') || !isSafeUrl(url, 'link'));

/** The attributes with the address trimmed, or without it where it is not safe. */
function withAddress(
  attribs: sanitizeHtml.Attributes,
  name: string,
  isSafe: (url: string) => boolean,
): sanitizeHtml.Attributes {
  const { [name]: address, ...others } = attribs;
  if (address === undefined) return attribs;
  const url = address.trim();
  return isSafe(url) ? { ...attribs, [name]: url } : others;
}

/** Elements of one source at most; unclosed ones cost the square. */
const maxElements = 20_000;

/** Why a text is no HTML that we take; undefined where it is. */
export function htmlProblem(html: string): string | undefined {
  const count = html.split('<').length - 1;
  return count > maxElements ? `it has more than ${String(maxElements)} elements` : undefined;
}

/**
 * Drops what is not allowed; a second run changes nothing more. With `liquid: true`, for sources,
 * tags and outputs of Liquid stay where text and values of attributes stay, so that comparisons in
 * them are not parsed as markup. After rendering, braces are text like any other (`liquid: false`).
 */
export function sanitizeMarkup(html: string, { liquid }: { liquid: boolean }): string {
  if (!liquid) return sanitizeHtml(html, options);
  // Random letters that no source contains, as placeholders for unchanged parts.
  const mark = `liquid${randomBytes(12).toString('hex')}q`;
  const kept: string[] = [];
  const marked: string[] = [];
  let done = 0;
  for (const { start, end } of findPieces(html)) {
    const place = kept.push(html.slice(start, end)) - 1;
    marked.push(html.slice(done, start), `${mark}${String(place)}z`);
    done = end;
  }
  const clean = sanitizeHtml([...marked, html.slice(done)].join(''), options);
  return clean.replace(
    new RegExp(`${mark}(\\d+)z`, 'g'),
    (_, at: string) => kept[Number(at)] ?? '',
  );
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

const characters = new Map(Object.entries(entities).map(([sign, name]) => [name, sign]));

/** The words of sanitised HTML, a line for each block, with the addresses of its links. */
export function textOfMarkup(html: string): string {
  return html
    .replace(/<a\b[^>]*?href="([^"]*)"[^>]*>([\s\S]*?)<\/a>/gi, '$2 ($1)')
    .replace(/<(br|hr|\/(p|div|h\d|li|tr|section|blockquote))\b[^>]*>/gi, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(amp|lt|gt|quot|#39);/g, (name) => characters.get(name) ?? name)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/\s*\n\s*/g, '\n')
    .trim();
}
