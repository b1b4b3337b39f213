import { brandOf, brandStyle } from '../../platform/content/brand.ts';
import { design } from '../../platform/content/design.ts';
import { escapeHtml } from '../../platform/content/html.ts';
import { languageAttributes } from '../../platform/content/language-attributes.ts';
import { legalFooter } from '../../platform/content/plain-page.ts';
import type { PlainPage } from '../../platform/content/plain-page.ts';
import type { Arrival } from './queries.ts';
import { wordsFor } from './words.ts';

const style = `${design}
fieldset{border:1px solid var(--line);border-radius:8px;margin:0 0 1rem;padding:.25rem 1rem 1rem}
legend{font-weight:600;padding:0 .4rem}
fieldset p{margin:0 0 .5rem;color:var(--soft)}
label{display:inline-flex;align-items:center;gap:.5rem;min-height:2.75rem;margin-inline-end:1.5rem;cursor:pointer}
input{width:1.35rem;height:1.35rem;margin:0;accent-color:var(--fill)}
button.second{background:none;color:var(--text);border-color:var(--edge)}
form+form,.more{margin-top:1.5rem}
[role=status]{background:var(--good-fill);padding:.75rem 1rem;border-radius:var(--radius)}`;

/**
 * A page in the language of a recipient, with the name and the color of the team. Its title begins
 * with the outcome of what was sent.
 */
export function choicePage(
  { team_name, locale, theme, origins }: Arrival,
  title: string,
  body: string,
  outcome?: string,
): PlainPage {
  const { lang } = wordsFor(locale);
  const html = `<!doctype html>
<html ${languageAttributes(lang)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml([outcome, title].filter(Boolean).join(' '))} – ${escapeHtml(team_name)}</title>
<style>${style}${brandStyle(brandOf(theme ?? {}))}</style>
</head>
<body>
<header>${escapeHtml(team_name)}</header>
<main><h1>${escapeHtml(title)}</h1>${body}</main>
${legalFooter(theme)}</body>
</html>
`;
  return { status: 200, html, frameAncestors: origins };
}
