import { escapeHtml } from './html.ts';
import { designTokens, lessMotion } from './tokens.ts';

export interface PageLink {
  name: string;
  href: string;
}

/** A page of the service itself, for people who work with it. */
export interface LocalPage {
  title: string;
  /** The pages that its header links; the one with its path is marked. */
  links: readonly PageLink[];
  path: string;
  /** Facts for the scripts, as data attributes of the document. */
  facts?: Readonly<Record<string, string>>;
  /** HTML. */
  body: string;
  style?: string;
  /** For a page that waits for something. */
  reloadEverySeconds?: number;
  /** Addresses of scripts, in the order in which they run. */
  scripts?: readonly string[];
}

const style = `${designTokens(':root')}
* { box-sizing: border-box; }
body { font: 15px/1.5 var(--font); margin: 0; color: var(--text); background: var(--page); }
.top { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; align-items: baseline; padding: .75rem 1.5rem; border-bottom: 1px solid var(--line); }
.top strong { margin-right: .75rem; }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; }
.top a { color: var(--soft); text-decoration: none; padding: .25rem 0; border-bottom: 2px solid transparent; }
.top a:hover, .top a[aria-current] { color: var(--text); border-color: var(--accent); }
@media (max-width: 40rem) {
.top { padding: .6rem 1rem 0; } .top nav { flex-wrap: nowrap; overflow-x: auto; width: 100%; white-space: nowrap; }
.top a { padding: .5rem 0; } .top a[aria-current] { order: -1; }
}
main { max-width: 80rem; margin: 0 auto; padding: 1.25rem clamp(1rem, 3vw, 1.5rem) 3rem; }
h1, h2, .top strong { color: var(--strong); } h1 { margin: 0 0 .25rem; font-size: 1.6rem; } a { color: var(--accent); }
.summary, th { color: var(--soft); } .summary { margin: 0 0 1rem; }
table { border-collapse: collapse; font-size: .9rem; }
th, td { padding: .3rem .9rem .3rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
th { font-weight: 500; } code, pre { font: .85rem/1.45 var(--mono); overflow-wrap: anywhere; }
pre { background: var(--field); padding: .6rem .75rem; border-radius: .4rem; white-space: pre-wrap; overflow-wrap: anywhere; margin: .25rem 0; }
form { display: flex; flex-wrap: wrap; gap: .75rem; align-items: end; margin: 1rem 0; }
label { display: block; font-size: .85rem; color: var(--soft); }
input, button, select { font: inherit; height: 2.25rem; padding: 0 .6rem; color: inherit; background: var(--field); border: 1px solid var(--edge); border-radius: .4rem; }
button { cursor: pointer; } form button { background: var(--fill); color: var(--on-fill); border-color: var(--fill); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 1px; }
.wide { overflow-x: auto; } .prose { max-width: 46rem; font-size: 16px; }
.skip:not(:focus) { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
${lessMotion}`;

/** The document with the header that all of these pages share. */
export function localPage(page: LocalPage): string {
  const { title, links, path, facts = {}, body, style: own, scripts, reloadEverySeconds } = page;
  const items = links.map(({ name, href }) => {
    const current = href === path ? ' aria-current="page"' : '';
    return `<a href="${escapeHtml(href)}"${current}>${escapeHtml(name)}</a>`;
  });
  const given = Object.entries(facts).map(
    ([name, value]) => ` data-${name}="${escapeHtml(value)}"`,
  );
  const loaded = (scripts ?? []).map((src) => `<script src="${escapeHtml(src)}"></script>\n`);
  const reload =
    reloadEverySeconds === undefined
      ? ''
      : `<meta http-equiv="refresh" content="${String(reloadEverySeconds)}">\n`;
  return `<!doctype html>
<html lang="en"${given.join('')}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${reload}<link rel="icon" href="/favicon.ico" sizes="32x32">
<title>${escapeHtml(title)} · Onward</title>
<style>
${style}
${own ?? ''}
</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top"><strong>Onward</strong>
<nav aria-label="Pages">${items.join('\n')}</nav></header>
<main id="content">
${body}
</main>
${loaded.join('')}</body>
</html>
`;
}
