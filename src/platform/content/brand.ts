import { contrast, readable } from './contrast.ts';
import { darkColors, lightColors, shapeTokens, strongLines } from './tokens.ts';

/**
 * The brand of a team on top of the design tokens. Pages of the service and the widget's script in
 * browsers use it, so this file imports nothing of Node.
 */

/** Contrast that marks and edges need (WCAG 2.2). */
const visible = 3;

const colorPattern =
  /^(#[\da-f]{3}|#[\da-f]{6}|[a-z]{3,30}|(rgb|hsl|hwb|lab|lch|oklab|oklch)a?\([\d.,%/ a-z-]{1,60}\))$/i;
const fontPattern = /^[\p{L}\d ,'"_-]{1,120}$/u;
const radiusPattern = /^\d{1,3}(\.\d{1,3})?(px|rem|em|%)?$/;

type Colors = Readonly<Record<string, string>>;

export interface Brand {
  /** The scheme of a page whose background the theme sets; undefined where the reader chooses. */
  scheme: 'light' | 'dark' | undefined;
  light: Colors;
  dark: Colors;
  shapes: Readonly<Record<string, string>>;
}

/**
 * The brand of a theme. Values that are no color, font or length are ignored, and a color that could
 * not be read or seen where it is used becomes lighter or darker until it can.
 */
export function brandOf(theme: Readonly<Record<string, unknown>>): Brand {
  const color = (name: string) => textOf(theme[name], colorPattern);
  const page = color('background_color');
  const isDark =
    page !== undefined && (contrast(page, '#ffffff') ?? 0) > (contrast(page, '#000000') ?? 1);
  const scheme = page === undefined ? undefined : isDark ? 'dark' : 'light';
  const font = textOf(theme['font_family'], fontPattern);
  const { radius: given } = theme;
  const radius = textOf(typeof given === 'number' ? `${String(given)}px` : given, radiusPattern);
  const chosen = {
    page,
    primary: color('primary_color'),
    onPrimary: color('on_primary_color'),
    link: color('link_color'),
    text: color('text_color'),
    focus: color('focus_color'),
  };
  return {
    scheme,
    light: colorsOn(scheme === 'dark' ? darkColors : lightColors, chosen),
    dark: colorsOn(scheme === 'light' ? lightColors : darkColors, chosen),
    shapes: {
      font: font ?? shapeTokens.font,
      radius: radius ?? shapeTokens.radius,
    },
  };
}

type Chosen = Readonly<
  Record<'page' | 'primary' | 'onPrimary' | 'link' | 'text' | 'focus', string | undefined>
>;

/** The colors of a brand on a page of the base, with the colors of the base where it has none. */
function colorsOn(base: Colors, chosen: Chosen): Colors {
  const page = chosen.page ?? base['page'] ?? '';
  const isPale = base === darkColors;
  const primary = chosen.primary ?? base['fill'] ?? '';
  // A pale button on a light page is the bank's choice: its label says that it is one.
  const fill = isPale ? shifted(primary, page, visible) : primary;
  const onFill = chosen.primary === undefined ? (base['on-fill'] ?? '') : textOn(fill, chosen);
  const link = chosen.link ?? chosen.primary ?? base['accent'] ?? '';
  const isTextReadable = chosen.text !== undefined && isReadable(chosen.text, page);
  const text = shifted((isTextReadable ? chosen.text : base['text']) ?? '', page, readable);
  return {
    ...base,
    ...(chosen.page !== undefined && {
      page,
      soft: shifted(base['soft'] ?? '', page, readable),
      edge: shifted(base['edge'] ?? '', page, visible),
      bad: shifted(base['bad'] ?? '', page, readable),
      good: shifted(base['good'] ?? '', page, readable),
    }),
    text,
    strong: isTextReadable ? text : shifted(base['strong'] ?? '', page, readable),
    brand: primary,
    fill,
    'on-fill': onFill,
    accent: shifted(link, page, readable),
    focus: shifted(chosen.focus ?? text, page, visible),
  };
}

/** The text of a button: as chosen where it can be read, else black or white. */
function textOn(fill: string, { onPrimary }: Chosen): string {
  if (onPrimary !== undefined && isReadable(onPrimary, fill)) return onPrimary;
  return (contrast(fill, '#ffffff') ?? readable) >= readable ? '#ffffff' : '#14181e';
}

/** Colors that are not written in hexadecimal cannot be compared, and count as readable. */
const isReadable = (color: string, page: string) => (contrast(color, page) ?? readable) >= readable;

/** A color, or the first one towards white or black that has this contrast to the page. */
function shifted(color: string, page: string, requested: number): string {
  const towards = (contrast(page, '#ffffff') ?? 0) > (contrast(page, '#000000') ?? 1) ? 255 : 0;
  for (let part = 0; part <= 20; part += 1) {
    const mixed = part === 0 ? color : mixedWith(color, towards, part / 20);
    const reached = contrast(mixed, page);
    if (reached === undefined || reached >= requested) return mixed;
  }
  return color;
}

function mixedWith(color: string, gray: number, part: number): string {
  const digits = color.length === 4 ? color.replaceAll(/[\da-f]/gi, '$&$&') : color;
  const mixed = (digits.match(/[\da-f]{2}/gi) ?? []).map((channel) => {
    const value = Number.parseInt(channel, 16);
    return Math.round(value + (gray - value) * part)
      .toString(16)
      .padStart(2, '0');
  });
  return `#${mixed.join('')}`;
}

function textOf(value: unknown, pattern: RegExp): string | undefined {
  return typeof value === 'string' && pattern.test(value.trim()) ? value.trim() : undefined;
}

const declarations = (values: Readonly<Record<string, string>>) =>
  Object.entries(values)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';');

/** User preferences (more contrast, print). They follow the colors of a brand, to override them. */
const preferenceStyles = (selector: string, { scheme }: Brand) =>
  `@media (prefers-contrast:more){${selector}{${declarations(strongLines)}}}
@media print{${selector}{color-scheme:light;${scheme === 'dark' ? declarations(lightColors) : ''}}}`;

/** The brand as CSS, after the tokens of the page. */
export function brandStyle(brand: Brand): string {
  const { scheme, light, dark, shapes } = brand;
  const fixed = scheme === undefined ? '' : `color-scheme:${scheme};`;
  return `:root{${fixed}${declarations({ ...shapes, ...light })}}
@media screen and (prefers-color-scheme:dark){:root{${declarations(dark)}}}
${preferenceStyles(':root', brand)}`;
}

/**
 * The same for an element whose colors follow its `color-scheme`: a part of it, and a page around it,
 * can have one of its own.
 */
export function embeddedBrandStyle(selector: string, brand: Brand): string {
  const both = Object.fromEntries(
    Object.entries(brand.light).map(([name, light]) => {
      const { [name]: dark = light } = brand.dark;
      return [name, light === dark ? light : `light-dark(${light},${dark})`];
    }),
  );
  const fixed = brand.scheme === undefined ? '' : `color-scheme:${brand.scheme};`;
  // A browser without light-dark() shows the light colors.
  return `${selector}{${fixed}${declarations({ ...brand.shapes, ...brand.light })}}
@supports (color:light-dark(#000,#fff)){${selector}{${declarations(both)}}}
${preferenceStyles(selector, brand)}`;
}

/**
 * Content with colors of its own, which its author chose for a light page: it has the light colors,
 * on paper that is seen only where the page is dark.
 */
export const ownColorsStyle =
  '.own-colors{color-scheme:light;color:var(--text);background:var(--page);box-shadow:0 0 0 .75em var(--page)}';
