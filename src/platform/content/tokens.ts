/** Colors on a light page. Texts have a contrast of 4.5 on `page`, edges of fields one of 3 (WCAG 2.2). */
export const lightColors = {
  text: '#1c2430',
  strong: '#0f1620',
  soft: '#4a5565',
  line: '#d5dae1',
  edge: '#76808e',
  page: '#ffffff',
  field: '#f6f8fa',
  /** Links and marks. */
  accent: '#0b57d0',
  /** Buttons, and the text on them. */
  fill: '#0b57d0',
  'on-fill': '#ffffff',
  good: '#1a6b30',
  'good-fill': '#e6f4ea',
  warn: '#7a4d00',
  'warn-fill': '#fff4d6',
  bad: '#a8200f',
  'bad-fill': '#fdecea',
} as const;

type Colors = Readonly<Record<keyof typeof lightColors, string>>;

/** The same on a dark page. */
export const darkColors: Colors = {
  text: '#eceff4',
  strong: '#ffffff',
  soft: '#b8c1ce',
  line: '#333b47',
  edge: '#8894a5',
  page: '#14181e',
  field: '#1e242d',
  accent: '#9dbcff',
  fill: '#8ab4f8',
  'on-fill': '#0a1a33',
  good: '#6bd88a',
  'good-fill': '#12341f',
  warn: '#f2c366',
  'warn-fill': '#35270a',
  bad: '#ff9a8f',
  'bad-fill': '#3b1512',
};

/** Where a system asks for more contrast. */
export const strongLines = { soft: 'var(--text)', line: 'var(--edge)', edge: 'var(--text)' };

/** Type, space and shape. */
export const shapeTokens = {
  font: 'system-ui, sans-serif',
  mono: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  small: '.875rem',
  large: '1.25rem',
  title: 'clamp(1.5rem, 1.2rem + 1.2vw, 1.875rem)',
  'space-1': '.25rem',
  'space-2': '.5rem',
  'space-3': '.75rem',
  'space-4': '1rem',
  'space-6': '1.5rem',
  'space-8': '2rem',
  radius: '8px',
  /** Height of what is clicked or touched. */
  target: '2.75rem',
};

const declared = (values: Readonly<Record<string, string>>) =>
  Object.entries(values)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';');

/**
 * The design of every page that the service renders, as CSS variables: colors (light, dark, more
 * contrast, print), type, space and shape. `root` is the element that has them.
 */
export const designTokens = (root: ':root' | ':host'): string =>
  `${root}{color-scheme:light dark;${declared(shapeTokens)};${declared(lightColors)}}
@media screen and (prefers-color-scheme:dark){${root}{${declared(darkColors)}}}
@media (prefers-contrast:more){${root}{${declared(strongLines)}}}`;

/** For people who asked their system for less motion. */
export const lessMotion =
  '@media (prefers-reduced-motion:reduce){*,::before,::after{animation:none!important;transition:none!important;scroll-behavior:auto!important}}';
