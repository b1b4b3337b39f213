import { escapeHtml } from '../../content/html.ts';
import type { Values } from '../../content/liquid.ts';
import type { Snapshot } from '../landing-pages/queries.ts';
import { penFor, renderBlocks } from './blocks.ts';

/** A snapshot as a whole document. Throws 422 where that takes too much. */
export function renderLandingPage(page: Snapshot, values: Values, wantedLocale?: string): string {
  const { title, description, seo, theme, blocks } = page;
  const locale = wantedLocale ?? page.locale ?? undefined;
  const meta = (name: string, content: string | null | undefined) =>
    content ? `<meta name="${name}" content="${escapeHtml(content)}">` : '';
  const variables = Object.entries(theme).map(
    ([name, value]) => `--${name.replaceAll('_', '-')}: ${value};`,
  );
  return [
    `<!doctype html><html lang="${escapeHtml(locale ?? 'en')}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(seo.title ?? title ?? '')}</title>`,
    meta('description', seo.description ?? description),
    meta('og:image', seo.image_url),
    seo.noindex ? '<meta name="robots" content="noindex">' : '',
    variables.length > 0 ? `<style>:root { ${variables.join(' ')} }</style>` : '',
    `</head><body><main>\n${renderBlocks(blocks, penFor(values), locale)}\n</main></body></html>`,
  ].join('');
}
