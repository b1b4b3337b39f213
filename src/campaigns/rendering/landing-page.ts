import { escapeHtml } from '../../platform/content/html.ts';
import {
  languageAttributes,
  probableLanguageAttributes,
} from '../../platform/content/language-attributes.ts';
import { isSafeUrl } from '../../platform/schema/safe-url.ts';
import type { Snapshot } from '../landing-pages/queries.ts';
import { renderBlocks } from './blocks.ts';
import type { Pen, WriteForm } from './blocks.ts';
import { brandOf, embeddedBrandStyle, ownColorsStyle } from '../../platform/content/brand.ts';
import { designTokens, lessMotion } from '../../platform/content/tokens.ts';

const rules = `*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;font:1.0625rem/1.6 var(--font);color:var(--text);background:var(--page);overflow-wrap:anywhere}
body::before{content:"";display:block;height:6px;background:var(--brand)}
main{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:1.5rem;max-width:46rem;margin:0 auto;padding:clamp(1.5rem,6vw,4rem) 1.25rem 4rem}
main>*{grid-column:1/-1;margin:0}
h1,h2,h3{line-height:1.2;text-wrap:balance;margin:0 0 .5em}
h1{font-size:clamp(1.9rem,1.4rem + 2.5vw,2.75rem)}h2{font-size:1.5rem}h3{font-size:1.2rem}
p,ul,ol,dl,table,blockquote,pre,figure{margin:0 0 1em}
.block :is(h2,h3):not(:first-child){margin-top:1.4em}.block>:last-child{margin-bottom:0}
a{color:var(--accent);text-underline-offset:.15em}
img{max-width:100%;height:auto;border-radius:var(--radius)}
table{border-collapse:collapse;overflow-wrap:break-word}th,td{padding:.4rem .75rem .4rem 0;text-align:start;vertical-align:top}
.block:has(table){overflow-x:auto}
blockquote{border-inline-start:4px solid var(--accent);padding-inline-start:1rem;margin-inline:0}
.button,button{display:inline-block;font:inherit;font-weight:600;line-height:1.25;padding:.8rem 1.5rem;border:2px solid var(--fill);border-radius:var(--radius);background:var(--fill);color:var(--on-fill);text-decoration:none;cursor:pointer}
.button:hover,button:hover{filter:brightness(.92)}
.video{position:relative;display:inline-block;font-weight:600}
.video:has(img)::after{content:"";position:absolute;inset:0;margin:auto;width:4rem;height:4rem;border-radius:50%;background:#000b no-repeat center/1.5rem url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 10 10'%3E%3Cpath fill='%23fff' d='M2 0l8 5-8 5z'/%3E%3C/svg%3E")}
.block-product_card{border:1px solid var(--line);border-radius:var(--radius);padding:1.25rem;display:flex;flex-direction:column;align-items:flex-start}
.block-product_card img{width:calc(100% + 2.5rem);max-width:none;margin:-1.25rem -1.25rem 1rem;border-radius:var(--radius) var(--radius) 0 0}
.block-product_card h2{font-size:1.2rem}.block-product_card .button{margin-top:auto}
.block-disclosure{border-top:1px solid var(--line);padding-top:1rem;color:var(--soft)}.block-disclosure h2{font-size:1rem}
.block-form{border:1px solid var(--line);border-radius:var(--radius);padding:1.25rem 1.25rem 1.5rem;background:var(--field)}
.checklist{list-style:none;padding:0}.checklist li{padding-block:.75rem;padding-inline-start:2.25rem;border-bottom:1px solid var(--line);position:relative}
.checklist li::before{content:"";position:absolute;inset-inline-start:.25rem;top:1rem;width:1.1rem;height:1.1rem;border:2px solid var(--edge);border-radius:50%}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
${ownColorsStyle}
@media (min-width:40rem){.block-product_card{grid-column:auto}}
@media (forced-colors:active){.button,button{border-color:ButtonText}}
@media print{body::before{display:none}main{display:block}.block{break-inside:avoid;margin-bottom:1.5rem}}
${lessMotion}`;

/** The style sheet of a landing page: the design of all pages, and on it the theme. */
const landingStyle = (theme: Readonly<Record<string, string>>): string =>
  `${designTokens(':root')}\n${embeddedBrandStyle(':root', brandOf(theme))}\n${rules}`;

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
