import { designTokens, lessMotion } from './tokens.ts';

/** The design of pages for people that hold no content of partners, light and dark. */
export const design = `${designTokens(':root')}
*{box-sizing:border-box}
body{font:1.0625rem/1.6 var(--font);margin:0 auto;max-width:38rem;padding:1.5rem 1.25rem 3rem;color:var(--text);background:var(--page);overflow-wrap:anywhere}
header{border-top:4px solid var(--brand,var(--fill));padding-top:1rem;color:var(--soft)}
footer{margin-top:3rem;border-top:1px solid var(--line);padding-top:1rem;font-size:var(--small);color:var(--soft);white-space:pre-line}
h1{font-size:1.75rem;line-height:1.25;margin:.5rem 0 1rem;text-wrap:balance}
a{color:var(--accent);text-underline-offset:.15em}
button{font:inherit;font-weight:600;min-height:2.9rem;padding:.5rem 1.5rem;border:2px solid var(--fill);border-radius:var(--radius);background:var(--fill);color:var(--on-fill);cursor:pointer}
:focus-visible{outline:3px solid var(--focus,var(--text));outline-offset:2px}
${lessMotion}`;
