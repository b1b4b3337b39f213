import { escapeHtml } from '../../platform/content/html.ts';
import {
  languageAttributes,
  probableLanguageAttributes,
} from '../../platform/content/language-attributes.ts';
import { isSafeUrl } from '../../platform/schema/safe-url.ts';
import type { Snapshot } from '../landing-pages/queries.ts';
import { renderBlocks } from './blocks.ts';
import type { Pen, WriteForm } from './blocks.ts';
import { landingStyle } from './landing-style.ts';

/** Markup for the forms of a page. */
export interface ShownForms {
  write: WriteForm;
  style: string;
  /** Said first, in the title as well: whether it was sent. */
  outcome?: string | undefined;
  /** Markup in front of everything: what concerns no single form. */
  notice: string;
}

/** Renders a snapshot as a whole document. Throws 422 if rendering exceeds its limits. */
export function renderLandingPage(page: Snapshot, pen: Pen, forms?: ShownForms): string {
  const { title, description, seo, theme, blocks } = page;
  const language =
    page.locale === null ? probableLanguageAttributes(pen.locale) : languageAttributes(pen.locale);
  const meta = (name: string, content: string | null | undefined) =>
    content ? `<meta name="${name}" content="${escapeHtml(content)}">` : '';
  // Programs that show a card of a page look for these by `property`.
  const card = (name: string, content: string | null | undefined) =>
    content ? `<meta property="og:${name}" content="${escapeHtml(content)}">` : '';
  const heading = seo.title ?? title;
  const about = seo.description ?? description;
  const picture = seo.image_url && isSafeUrl(seo.image_url, 'web') ? seo.image_url : undefined;
  const shown = renderBlocks(blocks, pen, forms?.write);
  // A page says what it is called, once.
  const beginning = /<h1[\s>]/.test(shown) ? '' : `<h1>${escapeHtml(title ?? '')}</h1>\n`;
  return [
    `<!doctype html><html ${language}><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml([forms?.outcome, heading].filter(Boolean).join(': '))}</title>`,
    meta('description', about),
    ...[card('type', 'website'), card('title', heading), card('description', about)],
    ...[card('image', picture), meta('twitter:card', picture && 'summary_large_image')],
    seo.noindex ? '<meta name="robots" content="noindex">' : '',
    `<style>${landingStyle(theme)}\n${forms?.style ?? ''}</style>`,
    `</head><body><main>\n${forms?.notice ?? ''}`,
    `${beginning}${shown}\n</main></body></html>`,
  ].join('');
}
