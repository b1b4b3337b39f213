import { escapeHtml } from '../../platform/content/html.ts';
import {
  languageAttributes,
  probableLanguageAttributes,
} from '../../platform/content/language-attributes.ts';
import { isSafeUrl } from '../../platform/schema/safe-url.ts';
import type { Snapshot } from '../landing-pages/queries.ts';
import { renderBlocks } from './blocks.ts';
import type { Pen, WriteForm } from './blocks.ts';

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
  const variables = Object.entries(theme).map(
    ([name, value]) => `--${name.replaceAll('_', '-')}: ${value};`,
  );
  return [
    `<!doctype html><html ${language}><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml([forms?.outcome, seo.title ?? title].filter(Boolean).join(': '))}</title>`,
    meta('description', seo.description ?? description),
    meta('og:image', seo.image_url && isSafeUrl(seo.image_url, 'web') ? seo.image_url : undefined),
    seo.noindex ? '<meta name="robots" content="noindex">' : '',
    variables.length > 0 ? `<style>:root { ${variables.join(' ')} }</style>` : '',
    forms?.style ? `<style>${forms.style}</style>` : '',
    `</head><body><main>\n${forms?.notice ?? ''}`,
    // A page of the required fields alone shows at least what it is called.
    blocks.length === 0
      ? `<h1>${escapeHtml(title ?? '')}</h1>`
      : renderBlocks(blocks, pen, forms?.write),
    '\n</main></body></html>',
  ].join('');
}
