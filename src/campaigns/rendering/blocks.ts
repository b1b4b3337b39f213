import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { escapeHtml, sanitizeMarkup } from '../../platform/content/html.ts';
import { renderHtml, renderText, tooMuch } from '../../platform/content/liquid.ts';
import type { Values } from '../../platform/content/liquid.ts';
import { createContentTurns } from '../../platform/http/event-loop.ts';
import { localized } from '../../platform/schema/language.ts';
import { isSafeUrl } from '../../platform/schema/safe-url.ts';
import type { UrlUse } from '../../platform/schema/safe-url.ts';
import { blockBodies, isForm } from '../content-blocks/content-block.ts';
import type { BlockKind, FormBody } from '../content-blocks/content-block.ts';
import { scriptedFormMarkup } from './form-markup.ts';

/** Maximum number of characters of HTML in a page or a message. */
export const maxHtmlLength = 300_000;

/** HTML of its own, or a part of a page or an e-mail. */
type HtmlUse = 'e-mail' | 'part';

/** Turns sources of Liquid into HTML in which no value can be markup. */
export interface Pen {
  /** The language of the reader. */
  locale: string;
  /** Plain text, escaped. */
  text(source: string): string;
  /**
   * HTML, sanitized after the values are in: an address may come from a contact. That of an e-mail
   * keeps its style sheets, at its beginning.
   */
  html(source: string, use?: HtmlUse): string;
  /** The value of an attribute that leads somewhere; "#" where that is no safe address. */
  link(source: string, use?: UrlUse): string;
}

export function penFor(values: Values): Pen {
  let length = 0;
  return {
    locale: values.locale,
    text: (source) => escapeHtml(renderText(source, values)),
    html(source, use = 'part') {
      const html = renderHtml(source, values);
      length += html.length;
      if (length > maxHtmlLength) throw tooMuch();
      return sanitizeMarkup(html, { liquid: false, styleSheets: use === 'e-mail' });
    },
    link(source, use = 'link') {
      const url = renderText(source, values).trim();
      return isSafeUrl(url, use) ? escapeHtml(url) : '#';
    },
  };
}

/** A pen that renders each source of HTML once. */
function rememberingPen(values: Values): Pen {
  const pen = penFor(values);
  const made = new Map<string, string>();
  return {
    ...pen,
    html(source, use = 'part') {
      const key = `${use} ${source}`;
      const html = made.get(key) ?? pen.html(source, use);
      made.set(key, html);
      return html;
    },
  };
}

/**
 * A pen that has rendered the HTML of these blocks, and of e-mails before them, each in a turn of the
 * event loop. Throws 422 if rendering exceeds its limits.
 */
export async function penForBlocks(
  blocks: readonly BlockContent[],
  values: Values,
  emails: readonly string[] = [],
): Promise<Pen> {
  const pen = rememberingPen(values);
  const turn = createContentTurns();
  const sources = blocks.map(({ body, localizations }): unknown =>
    Reflect.get(localized(body, localizations, values.locale), 'html'),
  );
  for (const source of emails) {
    await turn(source.length);
    pen.html(source, 'e-mail');
  }
  for (const source of sources) {
    if (typeof source !== 'string') continue;
    await turn(source.length);
    pen.html(source);
  }
  return pen;
}

/** The content of a block, either the current one or that of a version or snapshot. */
export interface BlockContent {
  key: string;
  kind: BlockKind;
  body: object;
  localizations: Readonly<Record<string, object>>;
}

/** Writes forms where they are sent to us as they are, and not by a script. */
export type WriteForm = (key: string, form: FormBody, pen: Pen) => string;

/**
 * Renders the blocks in their order, one element each. Throws 422 if rendering exceeds its limits.
 */
export function renderBlocks(
  blocks: readonly BlockContent[],
  pen: Pen,
  writeForm: WriteForm = scriptedFormMarkup,
): string {
  return blocks
    .map((block) => {
      const form = formOf(block, pen.locale);
      const content = form
        ? writeForm(block.key, form, pen)
        : composers[block.kind](localized(block.body, block.localizations, pen.locale), pen);
      const own = hasOwnColors(content) ? ' own-colors' : '';
      return `<div class="block block-${block.kind}${own}" data-block="${block.key}">${content}</div>`;
    })
    .join('\n');
}

/** Whether sanitized HTML has colors of its own, which are for a light page. */
const hasOwnColors = (html: string) =>
  /<[a-z][^>]*\s(?:(?:bg)?color="|background="|style="[^"]*(?:color|background))/i.test(html);

/** The form of a block in a language; undefined for blocks of other kinds. */
export function formOf(block: BlockContent, locale: string): FormBody | undefined {
  const body = localized(block.body, block.localizations, locale);
  return block.kind === 'form' && isForm(body) ? body : undefined;
}

/** Markup of a kind of block; empty if the body no longer matches the schema. */
function composer<Schema extends TSchema>(
  schema: Schema,
  compose: (body: Static<Schema>, pen: Pen) => string,
) {
  const compiled = Compile(schema);
  return (body: object, pen: Pen): string => (compiled.Check(body) ? compose(body, pen) : '');
}

const button = ({ label, url }: { label: string; url: string }, pen: Pen) =>
  `<a class="button" href="${pen.link(url)}">${pen.text(label)}</a>`;
const heading = (title: string | undefined, pen: Pen) =>
  title === undefined ? '' : `<h2>${pen.text(title)}</h2>`;

const composers: Readonly<Record<BlockKind, (body: object, pen: Pen) => string>> = {
  rich_text: composer(blockBodies.rich_text, ({ html }, pen) => pen.html(html)),
  html: composer(blockBodies.html, ({ html }, pen) => pen.html(html)),
  disclosure: composer(
    blockBodies.disclosure,
    ({ title, html }, pen) => `${heading(title, pen)}<small>${pen.html(html)}</small>`,
  ),
  image: composer(blockBodies.image, ({ url, alt = '', link_url }, pen) => {
    const image = `<img src="${pen.link(url, 'web')}" alt="${pen.text(alt)}">`;
    return link_url === undefined ? image : `<a href="${pen.link(link_url)}">${image}</a>`;
  }),
  video: composer(blockBodies.video, ({ url, title, poster_url }, pen) => {
    const label = pen.text(title);
    const poster = poster_url && `<img src="${pen.link(poster_url, 'web')}" alt="${label}">`;
    return `<a class="video" href="${pen.link(url)}">${poster ?? label}</a>`;
  }),
  button: composer(blockBodies.button, button),
  product_card: composer(blockBodies.product_card, (card, pen) => {
    const { title, description, image_url } = card;
    const image = image_url && `<img src="${pen.link(image_url, 'web')}" alt="">`;
    const text = description && `<p>${pen.text(description)}</p>`;
    const action = card.button && button(card.button, pen);
    return `${image ?? ''}<h2>${pen.text(title)}</h2>${text ?? ''}${action ?? ''}`;
  }),
  objective_checklist: composer(blockBodies.objective_checklist, ({ title, items }, pen) => {
    const rows = items.map(
      ({ objective_key, label }) =>
        `<li data-objective="${escapeHtml(objective_key)}">${pen.text(label)}</li>`,
    );
    return `${heading(title, pen)}<ul class="checklist">${rows.join('')}</ul>`;
  }),
  // renderBlocks writes forms, which have the key of their block in their ids.
  form: () => '',
};
