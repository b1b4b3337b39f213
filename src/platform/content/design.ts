/** The design of pages for people that hold no content of partners, light and dark. */
export const design = `:root{color-scheme:light dark;--text:#1c2430;--soft:#4a5565;--line:#c9d1db;--page:#fff;--fill:#0b57d0;--on-fill:#fff;--good:#e6f4ea}
@media (prefers-color-scheme:dark){:root{--text:#eceff4;--soft:#b8c1ce;--line:#465060;--page:#14181e;--fill:#8ab4f8;--on-fill:#0a1a33;--good:#12341f}}
*{box-sizing:border-box}
body{font:1.0625rem/1.6 system-ui,sans-serif;margin:0 auto;max-width:38rem;padding:1.5rem 1.25rem 3rem;color:var(--text);background:var(--page);overflow-wrap:anywhere}
header{border-top:4px solid var(--brand,var(--fill));padding-top:1rem;color:var(--soft)}
h1{font-size:1.75rem;line-height:1.25;margin:.5rem 0 1rem;text-wrap:balance}
a{color:inherit;text-underline-offset:.15em}
button{font:inherit;font-weight:600;min-height:2.9rem;padding:.5rem 1.5rem;border:2px solid var(--fill);border-radius:8px;background:var(--fill);color:var(--on-fill);cursor:pointer}
:focus-visible{outline:3px solid var(--text);outline-offset:2px}`;
