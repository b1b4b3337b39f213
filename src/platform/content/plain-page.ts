import { lookUpLanguage } from '../schema/language.ts';
import { brandOf, brandStyle } from './brand.ts';
import { design } from './design.ts';
import { escapeHtml } from './html.ts';
import { languageAttributes } from './language-attributes.ts';

/** A page for people, and its status. */
export interface PlainPage {
  status: number;
  html: string;
  /** Where a redirect leads. */
  location?: string;
  /** Origins of pages that may show it in a frame; none by default. */
  frameAncestors?: readonly string[];
}

/** The team whose customers see a page, where it is known. */
export interface Look {
  team_name: string;
  locale: string;
  theme: Readonly<Record<string, unknown>> | null;
}

const style = `${design}
main{padding-top:clamp(1rem,8vh,4rem)}`;

/** The legal text of a theme, such as the address of the bank. */
export function legalFooter(theme: Look['theme']): string {
  const legal = theme?.['legal_text'];
  if (typeof legal !== 'string' || legal.trim() === '') return '';
  return `<footer dir="auto">${escapeHtml(legal.trim())}</footer>\n`;
}

/** A page with a heading, `body` (markup) and nothing to load. */
export function plainPage(title: string, body: string, lang = 'en', look?: Look): string {
  const brand = look ? brandStyle(brandOf(look.theme ?? {})) : '';
  const team = look ? escapeHtml(look.team_name) : undefined;
  return `<!doctype html>
<html ${languageAttributes(lang)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}${team === undefined ? '' : ` – ${team}`}</title>
<style>${style}${brand}</style>
</head>
<body>
${team === undefined ? '' : `<header>${team}</header>\n`}<main><h1>${escapeHtml(title)}</h1>${body}</main>
${look ? legalFooter(look.theme) : ''}</body>
</html>
`;
}

/** Heading and sentence of a page at a link that is not valid, and at a page that is not there. */
const sentences = new Map([
  [
    'en',
    {
      invalid: [
        'This link is not valid.',
        'It may be incomplete. Please open it again from the message.',
      ],
      ended: ['This link has ended', 'It led to a page for some time only.'],
      missing: ['Nothing here', 'This page does not exist, or is not published.'],
    },
  ],
  [
    'de',
    {
      invalid: [
        'Dieser Link ist nicht gültig.',
        'Er wurde vielleicht abgeschnitten. Bitte öffnen Sie ihn noch einmal aus der Nachricht.',
      ],
      ended: ['Dieser Link gilt nicht mehr', 'Er führte nur für einige Zeit zu einer Seite.'],
      missing: ['Hier ist nichts', 'Diese Seite gibt es nicht, oder sie ist nicht veröffentlicht.'],
    },
  ],
  [
    'es',
    {
      invalid: [
        'Este enlace no es válido.',
        'Quizá se haya cortado. Ábralo de nuevo desde el mensaje.',
      ],
      ended: ['Este enlace ha caducado', 'Llevaba a una página solo durante un tiempo.'],
      missing: ['Aquí no hay nada', 'Esta página no existe o no está publicada.'],
    },
  ],
  [
    'fr',
    {
      invalid: [
        'Ce lien n’est pas valable.',
        'Il a peut-être été coupé. Ouvrez-le de nouveau depuis le message.',
      ],
      ended: ['Ce lien a expiré', 'Il ne menait à une page que pendant un certain temps.'],
      missing: ['Il n’y a rien ici', 'Cette page n’existe pas ou n’est pas publiée.'],
    },
  ],
]);

/** Languages of the pages that know nothing of their reader but what the browser asks for. */
export const plainLanguages: readonly string[] = [...sentences.keys()];

function sentencePage(kind: 'invalid' | 'missing' | 'ended', locale: string, look?: Look): string {
  const lang = lookUpLanguage(locale, plainLanguages) ?? 'en';
  const [title = '', text = ''] = sentences.get(lang)?.[kind] ?? [];
  return plainPage(title, `<p>${escapeHtml(text)}</p>`, lang, look);
}

/** The page at a link that the service has not signed, or whose subject is gone. */
export const invalidLink: PlainPage = { status: 404, html: sentencePage('invalid', 'en') };

/** The same in a language. */
export const invalidLinkIn = (locale: string): PlainPage => ({
  status: 404,
  html: sentencePage('invalid', locale),
});

/** The page at an address where a team has published nothing; the team is unknown where it is none. */
export const missingPage = (look: Look | undefined, locale: string): string =>
  sentencePage('missing', look?.locale ?? locale, look);

/** The page at a link that led somewhere for some time; the team is unknown where it is disabled. */
export const endedLinkPage = (look: Look | undefined, locale: string): string =>
  sentencePage('ended', locale, look);
