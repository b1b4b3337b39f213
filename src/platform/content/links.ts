import { QuoteType, Tokenizer } from 'htmlparser2';

/** On a link of a message: with the value `false`, the link is not tracked. */
export const optOutAttribute = 'data-onward-track';

const linkElements = new Set(['a', 'area']);

/** A part of an HTML text that is replaced. */
interface Edit {
  start: number;
  end: number;
  text: string;
}

/** An attribute: its place with its value, and the place of the value. */
interface Attribute {
  start: number;
  end: number;
  value: string;
  valueStart: number;
  valueEnd: number;
}

/**
 * Replaces the addresses of links for which `replace` returns another one, and removes the attribute
 * by which a link refuses. Every other character of the HTML stays. Addresses that `replace` returns
 * need no escaping.
 */
export function replaceLinks(
  html: string,
  replace: (address: string) => string | undefined,
): string {
  const edits: Edit[] = [];
  let isLink = false;
  let address: Attribute | undefined;
  let optOut: Attribute | undefined;
  let attribute: (Attribute & { name: string; nameEnd: number }) | undefined;

  /** Browsers use the first of two attributes with one name. */
  function takeAttribute(quote: QuoteType, end: number): void {
    if (!attribute) return;
    const { name, nameEnd } = attribute;
    if (quote === QuoteType.NoValue) attribute.end = nameEnd;
    else {
      const isQuoted = quote !== QuoteType.Unquoted;
      const mark = quote === QuoteType.Single ? "'" : '"';
      attribute.end = end;
      attribute.valueEnd = isQuoted ? end - 1 : end;
      attribute.valueStart = isQuoted
        ? html.indexOf(mark, nameEnd) + 1
        : firstNonSpace(html, html.indexOf('=', nameEnd) + 1);
    }
    if (name === 'href') address ??= attribute;
    else if (name === optOutAttribute) optOut ??= attribute;
    attribute = undefined;
  }

  function endTag(): void {
    if (!isLink) return;
    const isRefused = optOut?.value.trim().toLowerCase() === 'false';
    const target = address && !isRefused ? replace(address.value) : undefined;
    const found: Edit[] = [];
    if (address && target !== undefined) {
      found.push({ start: address.valueStart, end: address.valueEnd, text: target });
    }
    if (optOut) found.push({ start: spaceBefore(html, optOut.start), end: optOut.end, text: '' });
    edits.push(...found.sort((one, other) => one.start - other.start));
  }

  const nothing = () => undefined;
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onopentagname(start, end) {
        isLink = linkElements.has(html.slice(start, end).toLowerCase());
        address = undefined;
        optOut = undefined;
      },
      onattribname(start, end) {
        if (!isLink) return;
        const name = html.slice(start, end).toLowerCase();
        attribute = { name, start, nameEnd: end, end, value: '', valueStart: end, valueEnd: end };
      },
      onattribdata(start, end) {
        if (attribute) attribute.value += html.slice(start, end);
      },
      onattribentity(codepoint) {
        if (attribute) attribute.value += String.fromCodePoint(codepoint);
      },
      onattribend: takeAttribute,
      onopentagend: endTag,
      onselfclosingtag: endTag,
      onclosetag: nothing,
      oncdata: nothing,
      oncomment: nothing,
      ondeclaration: nothing,
      onend: nothing,
      onprocessinginstruction: nothing,
      ontext: nothing,
      ontextentity: nothing,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return edited(html, edits);
}

function edited(html: string, edits: readonly Edit[]): string {
  if (edits.length === 0) return html;
  let done = 0;
  const parts = edits.flatMap(({ start, end, text }) => {
    const before = html.slice(done, start);
    done = end;
    return [before, text];
  });
  return [...parts, html.slice(done)].join('');
}

function firstNonSpace(text: string, from: number): number {
  let at = from;
  while (/\s/.test(text.charAt(at))) at += 1;
  return at;
}

function spaceBefore(text: string, from: number): number {
  let at = from;
  while (/\s/.test(text.charAt(at - 1))) at -= 1;
  return at;
}
