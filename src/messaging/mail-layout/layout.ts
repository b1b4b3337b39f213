import { escapeHtml } from '../../platform/content/html.ts';
import { languageAttributes } from '../../platform/content/language-attributes.ts';
import type { Look } from '../../platform/content/plain-page.ts';
import { shorten } from '../../platform/cut-text.ts';
import { isSafeUrl } from '../../platform/schema/safe-url.ts';
import { wordsFor } from '../preferences/words.ts';
import { mailBrandOf } from './colors.ts';
import type { MailBrand } from './colors.ts';
import { hasOwnColors } from './rules.ts';
import { mailStyleSheet, withInlineStyles } from './styles.ts';

/** Addresses of the choices that the message offers to its recipient. */
export interface MailChoices {
  unsubscribeUrl?: string | undefined;
  preferencesUrl?: string | undefined;
}

/** An e-mail without a layout of its own. */
export interface PlainMail {
  subject: string;
  preheader: string;
  /** The beginning of it stands in for an absent preheader. */
  text: string;
  /** Sanitized. */
  html: string;
  /** The attributes of its language. */
  language: string;
  /** The language of the recipient, for the footer. */
  locale: string;
  look: Look;
  choices: MailChoices;
  /** Markup at the end: a picture that counts opens. */
  end?: string;
}

/**
 * The document of an e-mail in the layout of its team: one column, 600 pixels at most, in tables,
 * since Outlook knows no other width; padding in cells, since it has none elsewhere.
 */
export function layOut(mail: PlainMail): string {
  const { subject, html, language, look, end = '' } = mail;
  const brand = brandFor(look);
  const isDarkAllowed = brand.scheme === undefined && !hasOwnColors(html);
  const scheme = isDarkAllowed ? 'light dark' : `${brand.scheme ?? 'light'} only`;
  const { light: colors } = brand;
  const text = `font-family:${escapeHtml(brand.font)};font-size:16px;line-height:1.6;color:${colors.text}`;
  return [
    `<!doctype html><html ${language}><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="x-apple-disable-message-reformatting">',
    '<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">',
    `<meta name="color-scheme" content="${scheme}"><meta name="supported-color-schemes" content="${scheme}">`,
    `<title>${escapeHtml(subject)}</title>`,
    '<!--[if mso]><style>*{font-family:Arial,sans-serif!important}</style><![endif]-->',
    `<style>\n${mailStyleSheet(brand, isDarkAllowed)}\n</style></head>`,
    `<body class="o-back" style="margin:0;padding:0;background-color:${colors.back}">`,
    `<div role="article" aria-label="${escapeHtml(subject)}" ${language}>`,
    beginningOf(mail),
    `<table class="o-back" role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="${colors.back}" style="background-color:${colors.back}">`,
    `<tr><td class="o-out" align="center" style="padding:24px 12px">${ghost.open}`,
    `<table class="o-card" role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="${colors.page}" style="max-width:600px;background-color:${colors.page};border:1px solid ${colors.line};border-radius:${brand.radius}">`,
    `<tr><td class="o-cell o-bar" style="padding:24px 40px 0;border-top:4px solid ${colors.brand};border-radius:${brand.radius} ${brand.radius} 0 0">${signOf(mail, brand)}</td></tr>`,
    `<tr><td class="o-cell" style="padding:24px 40px 40px;${text}">`,
    `<div class="o-text" ${language}>${withInlineStyles(html, brand)}</div></td></tr></table>`,
    footerOf(mail, brand),
    `${ghost.close}</td></tr></table>${end}</div></body></html>`,
  ].join('');
}

/** The messages of a claim share the look of their team, whose contrasts are computed once. */
const brands = new WeakMap<Look, MailBrand>();

function brandFor(look: Look): MailBrand {
  const known = brands.get(look) ?? mailBrandOf(look.theme ?? {});
  brands.set(look, known);
  return known;
}

/** Outlook ignores a maximum width. */
const ghost = {
  open: '<!--[if mso]><table role="presentation" width="600" align="center" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->',
  close: '<!--[if mso]></td></tr></table><![endif]-->',
};

/** Characters of a preview: the widest list of messages shows about 140. */
const previewLength = 140;

/** The text that lists of messages show next to the subject: the preheader, or the beginning. */
export function previewText({
  preheader,
  text,
  subject,
}: Pick<PlainMail, 'preheader' | 'text' | 'subject'>): string {
  if (preheader.trim() !== '') return shorten(preheader, 255);
  const plain = text
    .replaceAll(/\s*\(?https?:\/\/[^\s)]+\)?/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  // A heading that repeats the subject says nothing.
  const isRepeated = subject !== '' && plain.startsWith(subject) && plain.length > subject.length;
  return shorten(isRepeated ? plain.replace(subject, () => '').trim() : plain, previewLength);
}

/** The preview, hidden. Without a filler, lists would go on with the name of the team and the footer. */
function beginningOf(mail: PlainMail): string {
  const shown = previewText(mail);
  const filler = '&#847;&zwnj;&nbsp;'.repeat(Math.max(0, previewLength - shown.length));
  return `<div style="${hidden}">${escapeHtml(shown)}${filler}</div>`;
}

const hidden =
  'display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px;mso-hide:all';

/** The logo of the team, or its name. */
function signOf({ look: { team_name, theme } }: PlainMail, brand: MailBrand): string {
  const name = escapeHtml(team_name);
  const logo = theme?.['logo_url'];
  const font = `font-family:${escapeHtml(brand.font)};font-size:18px;font-weight:600;line-height:1.3;color:${brand.light.strong}`;
  if (typeof logo === 'string' && /^https:/i.test(logo.trim()) && isSafeUrl(logo.trim(), 'web')) {
    return `<img class="o-logo o-name" src="${escapeHtml(logo.trim())}" alt="${name}" height="40" style="display:inline-block;height:40px;max-width:240px;border:0;border-radius:4px;${font}">`;
  }
  return `<div class="o-name" style="${font}"><span dir="auto">${name}</span></div>`;
}

/** Who sends it, and what the recipient can choose, unless the e-mail says it itself. */
function footerOf({ html, locale, look, choices }: PlainMail, brand: MailBrand): string {
  const { lang, words } = wordsFor(locale);
  const soft = `color:${brand.light.soft}`;
  const isSaid = (url: string) => html.includes(escapeHtml(url));
  const links = [
    [choices.preferencesUrl, words.preferences] as const,
    [choices.unsubscribeUrl, words.unsubscribe] as const,
  ].flatMap(([url, label]) =>
    url === undefined || isSaid(url)
      ? []
      : `<a href="${escapeHtml(url)}" style="${soft};text-decoration:underline;display:inline-block;line-height:28px">${escapeHtml(label)}</a>`,
  );
  const legal = look.theme?.['legal_text'];
  const lines = [
    `<div dir="auto" style="font-weight:600">${escapeHtml(look.team_name)}</div>`,
    ...(typeof legal === 'string' && legal.trim() !== ''
      ? [`<div dir="auto">${escapeHtml(legal.trim()).replaceAll(/\r?\n/g, '<br>')}</div>`]
      : []),
    ...(links.length === 0
      ? []
      : [`<div ${languageAttributes(lang)}>${links.join(' &nbsp;·&nbsp; ')}</div>`]),
  ];
  return (
    '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:600px">' +
    `<tr><td class="o-foot o-cell" align="center" style="padding:24px 40px;font-family:${escapeHtml(brand.font)};font-size:13px;line-height:1.5;${soft}">${lines.join('')}</td></tr></table>`
  );
}
