import type sanitizeHtml from 'sanitize-html';
import { isSafeImage } from './allowed-markup.ts';

/** Names of the properties with these endings, and without one. */
const named = (name: string, ...endings: readonly string[]) => [
  name,
  ...endings.map((ending) => `${name}-${ending}`),
];
const sides = ['top', 'right', 'bottom', 'left', 'inline', 'block'];
const parts = ['width', 'style', 'color'];

/**
 * The properties that stay. None of them moves an element out of its place (`position`, `z-index`,
 * `transform`), changes with time (`animation`, `transition`) or adds text (`content`).
 */
const allowedProperties = new Set([
  ...named('color', 'scheme'),
  'supported-color-schemes',
  'opacity',
  'visibility',
  ...named('background', 'color', 'image', 'position', 'repeat', 'size', 'clip', 'origin'),
  ...named('font', 'family', 'size', 'style', 'weight', 'variant', 'stretch', 'feature-settings'),
  ...named('line', 'height').slice(1),
  ...['letter-spacing', 'word-spacing', 'word-break', 'word-wrap', 'overflow-wrap', 'hyphens'],
  ...['white-space', 'tab-size', 'direction', 'unicode-bidi', 'quotes'],
  ...named('text', 'align', 'align-last', 'indent', 'overflow', 'shadow', 'size-adjust').slice(1),
  ...['text-transform', 'text-rendering', 'text-underline-color', 'text-underline-offset'],
  ...named('text-decoration', 'color', 'line', 'style', 'thickness'),
  ...['display', 'vertical-align', 'float', 'clear', 'box-sizing', 'box-shadow', 'cursor'],
  ...['width', 'min-width', 'max-width', 'height', 'min-height', 'max-height'],
  ...named('overflow', 'x', 'y'),
  ...named('margin', ...sides),
  ...named('padding', ...sides),
  ...named('border', ...parts, 'radius', 'collapse', 'spacing'),
  ...sides.flatMap((side) => named(`border-${side}`, ...parts)),
  ...['top-left', 'top-right', 'bottom-left', 'bottom-right'].map((at) => `border-${at}-radius`),
  ...named('outline', ...parts, 'offset'),
  ...['table-layout', 'caption-side', 'empty-cells'],
  ...named('list-style', 'type', 'position', 'image'),
  ...named('flex', 'basis', 'direction', 'flow', 'grow', 'shrink', 'wrap'),
  ...['align-items', 'align-self', 'align-content', 'justify-content', 'order'],
  ...['gap', 'row-gap', 'column-gap', 'object-fit', 'object-position', 'aspect-ratio'],
  ...['page-break-before', 'page-break-after', 'page-break-inside'],
  ...['break-before', 'break-after', 'break-inside'],
  ...['-webkit-text-size-adjust', '-ms-text-size-adjust', '-moz-text-size-adjust'],
  ...['-webkit-font-smoothing', '-moz-osx-font-smoothing', '-webkit-text-fill-color'],
  ...['-ms-interpolation-mode', '-webkit-border-radius', '-moz-border-radius'],
]);

/** Whether a property stays; those of Outlook have no effect elsewhere. */
const isAllowedProperty = (name: string) =>
  allowedProperties.has(name) || /^mso-[a-z-]{1,40}$/.test(name);

/** The attributes with the declarations of `style` that are allowed. */
export function withAllowedStyles(attribs: sanitizeHtml.Attributes): sanitizeHtml.Attributes {
  if (attribs['style'] === undefined) return attribs;
  const { style, ...others } = attribs;
  const allowed = declarationsOf(style).flatMap(({ written }) => written ?? []);
  return allowed.length === 0 ? others : { ...attribs, style: allowed.join(';') };
}

/** A declaration of a style, as it stays; `written` is absent where it does not. */
interface Declaration {
  name: string;
  written?: string;
}

/** The declarations of a style in their order. */
export function declarationsOf(style: string): Declaration[] {
  const text = style.includes('/*') ? style.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, '') : style;
  return text.split(';').flatMap((declaration) => {
    const colon = declaration.indexOf(':');
    if (declaration.slice(colon + 1).trim() === '') return [];
    const name = declaration.slice(0, Math.max(0, colon)).trim().toLowerCase();
    const [value, priority] = withoutPriority(declaration.slice(colon + 1).trim());
    if (!isAllowedProperty(name) || !isSafeValue(value)) return [{ name }];
    return [{ name, written: `${name}:${value.replaceAll(/\s+/g, ' ')}${priority}` }];
  });
}

/** A value, and `!important` where it stood behind it. */
function withoutPriority(value: string): [value: string, priority: string] {
  const mark = value.lastIndexOf('!');
  const isImportant =
    mark >= 0 &&
    value
      .slice(mark + 1)
      .trim()
      .toLowerCase() === 'important';
  return isImportant ? [value.slice(0, mark).trim(), ' !important'] : [value, ''];
}

const maxValueLength = 300;
/** Functions of numbers, names and colors. */
const safeFunctions =
  /(?<![\w-])(?:rgba?|hsla?|calc|min|max|clamp|linear-gradient)\([\w\s,.%#/*+-]{0,120}\)/gi;
const addresses = /(?<![\w-])url\(\s*(?:"([^"]*)"|'([^']*)'|([^"'()\s]*))\s*\)/gi;

/**
 * Whether a value has only numbers, names, quoted names, colors and addresses of pictures. Other
 * functions and backslashes would be code in some programs.
 */
function isSafeValue(value: string): boolean {
  if (value === '' || value.length > maxValueLength) return false;
  const pictures = [...value.matchAll(addresses)];
  if (!pictures.every(([, ...urls]) => isSafeImage(urls.join('')))) return false;
  const rest = value
    .replace(addresses, ' ')
    // A color may stand within another function.
    .replace(safeFunctions, ' ')
    .replace(safeFunctions, ' ')
    .replace(/"[\w\s,.-]*"|'[\w\s,.-]*'/g, ' ');
  return /^[\w\s,.%#/+*-]*$/.test(rest);
}
