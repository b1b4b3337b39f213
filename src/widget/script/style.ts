/** Readable on a phone, at twice the size of letters, and where a system wants high contrast. */
export const style = `
:host { display: block; font: 1rem/1.5 system-ui, sans-serif; color: var(--text-color, #1c2430); }
* { box-sizing: border-box; }
.onward { max-width: 44rem; margin: 0 auto; padding: 1rem; background: var(--background-color, #fff); }
h1, h2, h3 { line-height: 1.25; margin: 0 0 .5em; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.25rem; } h3 { font-size: 1.1rem; }
img { max-width: 100%; height: auto; }
.page { overflow-wrap: anywhere; } .page:focus, h1:focus, h2:focus { outline: none; }
.block { margin: 0 0 1.25rem; }
nav ol { list-style: none; display: flex; flex-wrap: wrap; gap: .5rem; margin: 0 0 1rem; padding: 0; }
button, .button { font: inherit; min-height: 2.75rem; padding: .5rem 1rem; border-radius: .4rem;
  border: 1px solid var(--primary-color, #0b57d0); background: var(--primary-color, #0b57d0);
  color: var(--on-primary-color, #fff); cursor: pointer; text-decoration: none; display: inline-block; }
.bar { display: flex; flex-wrap: wrap; gap: .5rem 1rem; justify-content: space-between; align-items: flex-start; }
.bar nav { flex: 1 1 auto; } .bar > button { margin: 0 0 1rem; margin-inline-start: auto; }
.bar > button, nav button { background: none; color: inherit; border-color: #76808e; }
nav button[aria-current] { border-width: 2px; border-color: var(--primary-color, #0b57d0); font-weight: 600; }
:focus-visible { outline: 3px solid var(--focus-color, #0b57d0); outline-offset: 2px; }
label { display: block; margin: 0 0 .75rem; } .field { margin: 0 0 .75rem; } .field label { margin: 0; }
input, select { font: inherit; display: block; width: 100%; min-height: 2.75rem; padding: .4rem .6rem;
  border: 1px solid #76808e; border-radius: .3rem; background: #fff; color: #1c2430; }
input[type=checkbox] { display: inline-block; width: 1.25rem; min-height: 1.25rem; margin: 0; margin-inline-end: .5rem;
  vertical-align: text-bottom; }
fieldset { border: 0; margin: 0 0 1rem; padding: 0; } legend { font-weight: 600; padding: 0; margin: 0 0 .5rem; }
.checklist { list-style: none; padding: 0; } .checklist li { padding: .4rem 0; }
.checklist li::before { content: "○ "; } .checklist li.is-done::before { content: "✓ "; }
[role=alert] { color: #a50e0e; } [role=alert]:empty, [role=status]:empty { display: none; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (prefers-reduced-motion: no-preference) { button { transition: filter .1s; } button:hover { filter: brightness(.95); } }
`;
