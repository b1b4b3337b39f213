import { brandOf } from '../../platform/content/brand.ts';
import { darkColors, lightColors } from '../../platform/content/tokens.ts';

/** The colors of an e-mail, all in hexadecimal with six digits. */
interface MailColors {
  text: string;
  strong: string;
  soft: string;
  line: string;
  page: string;
  back: string;
  accent: string;
  brand: string;
  fill: string;
  onFill: string;
}

/** The look of the e-mails of a team. */
export interface MailBrand {
  /** The scheme of a theme with a background; undefined where the reader chooses. */
  scheme: 'light' | 'dark' | undefined;
  light: MailColors;
  dark: MailColors;
  font: string;
  radius: string;
}

/** Outlook shows a serif font where the first name is none that it has. */
const fonts = "-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** The brand of a theme as mail programs can show it: they know hexadecimal colors and pixels only. */
export function mailBrandOf(theme: Readonly<Record<string, unknown>>): MailBrand {
  const readable = Object.entries(theme).flatMap(([name, value]): [string, unknown][] => {
    if (!name.endsWith('_color')) return [[name, value]];
    const color = sixDigits(value);
    return color === undefined ? [] : [[name, color]];
  });
  const { scheme, light, dark, shapes } = brandOf(Object.fromEntries(readable));
  const { font_family: font } = theme;
  const { radius = '' } = shapes;
  return {
    scheme,
    light: colorsOf(light, scheme === undefined ? lightColors.field : undefined),
    dark: colorsOf(dark, scheme === undefined ? darkColors.field : undefined),
    font: typeof font === 'string' && shapes['font'] === font.trim() ? `${font},${fonts}` : fonts,
    radius: /^\d{1,2}(?:\.\d+)?px$/.test(radius) ? radius : '8px',
  };
}

/** Programs that know three digits in styles read them wrong in attributes. */
function sixDigits(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const [, short, long] = /^#(?:([\da-f]{3})|([\da-f]{6}))$/i.exec(value.trim()) ?? [];
  const digits = long ?? short?.replaceAll(/./g, '$&$&');
  return digits === undefined ? undefined : `#${digits}`;
}

/** A page with a color of the team is all in that color: texts were checked on no other. */
function colorsOf(colors: Readonly<Record<string, string>>, back: string | undefined): MailColors {
  const of = (name: string) => colors[name] ?? '';
  return {
    ...{ text: of('text'), strong: of('strong'), soft: of('soft'), line: of('line') },
    ...{ page: of('page'), back: back ?? of('page'), accent: of('accent'), brand: of('brand') },
    ...{ fill: of('fill'), onFill: of('on-fill') },
  };
}
