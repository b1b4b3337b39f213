import type { MailBrand } from './colors.ts';

/**
 * Styles in the elements, for programs that drop style sheets, and the style sheet for the others:
 * narrow and dark screens, and what an element cannot say.
 */

const sizes: readonly (readonly [name: string, style: string])[] = [
  ['h1', 'margin:0 0 16px;font-size:26px;line-height:1.25'],
  ['h2', 'margin:0 0 12px;font-size:20px;line-height:1.3'],
  ['h3', 'margin:0 0 8px;font-size:17px;line-height:1.35'],
  ['p', 'margin:0 0 16px'],
  ['ul', 'margin:0 0 16px'],
  ['ol', 'margin:0 0 16px'],
  ['blockquote', 'margin:0 0 16px;padding:0 16px'],
  ['img', 'max-width:100%;height:auto;border:0'],
  ['table', 'border-collapse:collapse;margin:0 0 16px'],
  ['th', 'padding:8px 12px;vertical-align:top'],
  ['td', 'padding:8px 12px;vertical-align:top'],
];

/**
 * Sanitized HTML with a style in each element that has none. Buttons have an area to press in
 * Outlook as well, which ignores the padding of links.
 */
export function withInlineStyles(html: string, { light, radius }: MailBrand): string {
  const styles = new Map<string, string>([
    ...sizes.map(
      ([name, style]) =>
        [name, /^h\d$/.test(name) ? `${style};color:${light.strong}` : style] as const,
    ),
    ['a', `color:${light.accent};text-decoration:underline`],
  ]);
  const pressed =
    `display:inline-block;background-color:${light.fill};color:${light.onFill};` +
    `border-radius:${radius};padding:13px 24px;font-weight:600;line-height:1.25;text-decoration:none;mso-padding-alt:0`;
  return html
    .replaceAll(
      /<a class="button"([^<>]*)>([^]*?)<\/a>/g,
      (_, attributes: string, label: string) =>
        `<a class="button" style="${pressed}"${attributes}>${beforeLabel}${label}${afterLabel}</a>`,
    )
    .replaceAll(/<([a-z]+\d?)((?:\s[^<>]*)?)>/g, (tag, name: string, attributes: string) => {
      const style = styles.get(name);
      if (style === undefined || /\sstyle="/.test(attributes)) return tag;
      return `<${name} style="${style}"${attributes}>`;
    });
}

const spread = 'mso-font-width:150%';
const beforeLabel = `<!--[if mso]><i style="${spread};mso-text-raise:20pt" hidden>&emsp;&emsp;</i><span style="mso-text-raise:10pt"><![endif]-->`;
const afterLabel = `<!--[if mso]></span><i style="${spread}" hidden>&emsp;&emsp;&#8203;</i><![endif]-->`;

/** The style sheet; dark colors only where the reader may choose. */
export function mailStyleSheet(brand: MailBrand, isDarkAllowed: boolean): string {
  const rules = [
    'body,table,td{-webkit-text-size-adjust:100%;-ms-text-size-adjust:100%}',
    'table,td{mso-table-lspace:0;mso-table-rspace:0}',
    '.o-text{overflow-wrap:break-word;word-break:break-word}',
    '.o-text>:last-child{margin-bottom:0!important}',
    '.o-text .block{margin:0 0 24px}.o-text .block>:last-child{margin-bottom:0}',
    `.o-text th,.o-text td{border-bottom:1px solid ${brand.light.line};text-align:start}`,
    `.o-text blockquote{border-inline-start:4px solid ${brand.light.line}}`,
    '@media (max-width:480px){.o-cell{padding:24px 20px!important}.o-out{padding:0!important}' +
      '.o-card{border-radius:0!important;border-left:0!important;border-right:0!important}' +
      '.button{display:block!important;text-align:center!important}}',
    ...(isDarkAllowed ? [darkRules(brand)] : []),
  ];
  return rules.join('\n');
}

function darkRules({ dark }: MailBrand): string {
  const color = (selector: string, value: string) => `${selector}{color:${value}!important}`;
  const background = (selector: string, value: string) =>
    `${selector}{background-color:${value}!important}`;
  const rules = [
    `:root{color-scheme:light dark}`,
    background('.o-back', dark.back),
    background('.o-card', dark.page),
    `.o-card{border-color:${dark.line}!important}.o-bar{border-color:${dark.brand}!important}`,
    color('.o-text', dark.text),
    color('.o-text h1,.o-text h2,.o-text h3,.o-name', dark.strong),
    color('.o-text a', dark.accent),
    `.o-text .button{background-color:${dark.fill}!important;color:${dark.onFill}!important}`,
    `.o-text th,.o-text td,.o-text blockquote{border-color:${dark.line}!important}`,
    color('.o-foot,.o-foot a', dark.soft),
    // A dark logo is not seen on a dark page.
    '.o-logo{background-color:#ffffff!important;padding:8px!important}',
  ];
  return `@media (prefers-color-scheme:dark){${rules.join('')}}`;
}
