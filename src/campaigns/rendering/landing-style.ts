import { contrast, readable } from '../../platform/content/contrast.ts';

const black = '#14181e';
const white = '#ffffff';

const defaults = {
  primary_color: '#0b57d0',
  text_color: '#1c2430',
  background_color: white,
  focus_color: '#1c2430',
  font_family: 'system-ui, sans-serif',
  radius: '8px',
};

/**
 * The theme of a landing page with what follows from it, as CSS variables: `primary_color` becomes
 * `--primary-color`. Text on the primary color is black or white, as is easier to read; links have
 * that color only where it can be read on the page.
 */
function variablesOf(theme: Readonly<Record<string, string>>): string {
  const chosen: Readonly<Record<string, string>> = { ...defaults, ...theme };
  const { primary_color: primary = '', background_color: page = '', text_color = '' } = chosen;
  const onPrimary = (contrast(primary, white) ?? 0) >= readable ? white : black;
  const isReadable = (contrast(primary, page) ?? 0) >= readable;
  const all = {
    on_primary_color: contrast(primary, white) === undefined ? white : onPrimary,
    link_color: isReadable ? primary : text_color,
    ...chosen,
  };
  return Object.entries(all)
    .map(([name, value]) => `--${name.replaceAll('_', '-')}: ${value};`)
    .join(' ');
}

// Authors choose colors for a light page, so that a dark one would hide their text.
const rules = `*{box-sizing:border-box}
html{color-scheme:light;-webkit-text-size-adjust:100%}
body{margin:0;font:1.0625rem/1.6 var(--font-family);color:var(--text-color);background:var(--background-color);overflow-wrap:break-word}
body::before{content:"";display:block;height:6px;background:var(--primary-color)}
main{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:1.5rem;max-width:46rem;margin:0 auto;padding:clamp(1.5rem,6vw,4rem) 1.25rem 4rem}
main>*{grid-column:1/-1;margin:0}
h1,h2,h3{line-height:1.2;text-wrap:balance;margin:0 0 .5em}
h1{font-size:clamp(1.9rem,1.4rem + 2.5vw,2.75rem)}h2{font-size:1.5rem}h3{font-size:1.2rem}
p,ul,ol,dl,table,blockquote,pre,figure{margin:0 0 1em}
.block :is(h2,h3):not(:first-child){margin-top:1.4em}.block>:last-child{margin-bottom:0}
a{color:var(--link-color);text-underline-offset:.15em}
img{max-width:100%;height:auto;border-radius:var(--radius)}
table{border-collapse:collapse}th,td{padding:.4rem .75rem .4rem 0;text-align:start;vertical-align:top}
.block:has(table){overflow-x:auto}
blockquote{border-inline-start:4px solid var(--primary-color);padding-inline-start:1rem;margin-inline:0}
.button,button{display:inline-block;font:inherit;font-weight:600;line-height:1.25;padding:.8rem 1.5rem;border:2px solid transparent;border-radius:var(--radius);background:var(--primary-color);color:var(--on-primary-color);text-decoration:none;cursor:pointer}
.button:hover,button:hover{filter:brightness(.92)}
.video{position:relative;display:inline-block;font-weight:600}
.video:has(img)::after{content:"";position:absolute;inset:0;margin:auto;width:4rem;height:4rem;border-radius:50%;background:#000b no-repeat center/1.5rem url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 10 10'%3E%3Cpath fill='%23fff' d='M2 0l8 5-8 5z'/%3E%3C/svg%3E")}
.block-product_card{border:1px solid #d5dae1;border-radius:var(--radius);padding:1.25rem;display:flex;flex-direction:column;align-items:flex-start}
.block-product_card img{width:calc(100% + 2.5rem);max-width:none;margin:-1.25rem -1.25rem 1rem;border-radius:var(--radius) var(--radius) 0 0}
.block-product_card h2{font-size:1.2rem}.block-product_card .button{margin-top:auto}
.block-disclosure{border-top:1px solid #d5dae1;padding-top:1rem;color:#4a5565}.block-disclosure h2{font-size:1rem}
.block-form{border:1px solid #d5dae1;border-radius:var(--radius);padding:1.25rem 1.25rem 1.5rem;background:#f6f8fa;color:#1c2430}
.checklist{list-style:none;padding:0}.checklist li{padding:.75rem 0 .75rem 2.25rem;border-bottom:1px solid #d5dae1;position:relative}
[dir=rtl] .checklist li{padding:.75rem 2.25rem .75rem 0}
.checklist li::before{content:"";position:absolute;inset-inline-start:.25rem;top:1rem;width:1.1rem;height:1.1rem;border:2px solid var(--primary-color);border-radius:50%}
:focus-visible{outline:3px solid var(--focus-color);outline-offset:2px}
@media (min-width:40rem){.block-product_card{grid-column:auto}}
@media (forced-colors:active){.button,button{border-color:ButtonText}}
@media print{body::before{display:none}main{display:block}.block{break-inside:avoid;margin-bottom:1.5rem}}`;

/** The style sheet of a landing page. */
export const landingStyle = (theme: Readonly<Record<string, string>>): string =>
  `:root { ${variablesOf(theme)} }\n${rules}`;
