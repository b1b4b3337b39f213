/**
 * Readable on a phone, at four times the size of letters, and where a system wants high contrast.
 * Sizes are in `em`: pages set the size of their root to less than that of a text. Nothing that the
 * page around it inherits gets in.
 */
export const style = `
:host{display:block;inline-size:100%;}
.onward{all:initial;color-scheme:inherit;display:block;container-type:inline-size;overflow-wrap:anywhere;
  font:max(16px, 1rem)/1.5 var(--font);color:var(--text);background:var(--page);text-align:start;}
.is-own{min-block-size:100dvh;}
*{box-sizing:border-box;}
.brand{border-block-start:4px solid var(--brand);border-block-end:1px solid var(--line);font-weight:600;}
.brand p{margin:0 auto;max-inline-size:62em;padding:.9em 1.25em;color:var(--strong);}
.layout{max-inline-size:62em;margin:0 auto;padding:1.25em;display:grid;grid-template-columns:minmax(0, 1fr);gap:1.25em;}
h1, h2, h3, h4, h5, h6{line-height:1.25;margin:0 0 .5em;color:var(--strong);text-wrap:balance;scroll-margin-block-start:5em;}
.title{font-size:1.625em;} h2, h3{font-size:1.25em;} h4, h5, h6{font-size:1.1em;} h2.title, h3.title{font-size:1.625em;}
p, ul, ol, dl, table, blockquote, pre, figure{margin:0 0 1em;}
a{color:var(--accent);text-underline-offset:.15em;}
img{max-width:100%;height:auto;border-radius:var(--radius);}
table{border-collapse:collapse;} th, td{padding:.4em .75em .4em 0;text-align:start;vertical-align:top;border-block-end:1px solid var(--line);}
.block:has(table){overflow-x:auto;}
blockquote{border-inline-start:4px solid var(--accent);padding-inline-start:1em;margin-inline:0;}
.title:focus, .done:focus, .sent:focus{outline:none;}
button, .button{font:inherit;font-weight:600;min-block-size:2.75em;padding:.5em 1.25em;border-radius:var(--radius);
  border:2px solid var(--fill);background:var(--fill);color:var(--on-fill);cursor:pointer;text-decoration:none;
  display:inline-flex;align-items:center;justify-content:center;text-align:center;max-inline-size:100%;}
.second{background:none;border-color:var(--edge);color:var(--text);}
.quiet{background:none;border-color:transparent;color:var(--soft);font-weight:400;text-decoration:underline;text-underline-offset:.15em;padding-inline:0;}
[aria-disabled=true]{opacity:.6;cursor:progress;}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px;}
.count{margin:0;font-weight:600;} .bar{block-size:.5em;border-radius:1em;background:var(--line);overflow:hidden;margin:.4em 0;}
.bar span{display:block;block-size:100%;border-radius:1em;background:var(--accent);}
nav ol{list-style:none;margin:.5em 0 0;padding:0;display:none;} nav.is-open ol{display:block;}
nav li button{inline-size:100%;justify-content:start;gap:.75em;background:none;border-color:transparent;color:inherit;font-weight:400;padding:.35em .5em;text-align:start;}
nav button[aria-current]{background:var(--field);font-weight:600;}
.mark{flex:none;inline-size:1.75em;block-size:1.75em;border-radius:50%;border:2px solid var(--edge);display:inline-grid;place-items:center;font-size:.85em;font-weight:600;line-height:1;}
.is-done .mark{background:var(--fill);border-color:var(--fill);color:var(--on-fill);} .is-locked .mark{border-style:dashed;}
.is-here .mark{border-color:var(--accent);}
.place[aria-busy=true]{opacity:.6;}
.page-content{display:grid;grid-template-columns:minmax(0, 1fr);gap:1.25em;}
.page-content > *{margin:0;min-inline-size:0;} .block > :last-child{margin-block-end:0;}
.block-product_card{border:1px solid var(--line);border-radius:var(--radius);padding:1.25em;display:flex;flex-direction:column;align-items:start;background:var(--field);overflow:hidden;}
.block-product_card img{inline-size:calc(100% + 2.5em);max-width:none;margin:-1.25em -1.25em 1em;border-radius:0;}
.block-product_card .button{margin-block-start:auto;}
.block-disclosure{border-block-start:1px solid var(--line);padding-block-start:1em;color:var(--soft);}
.block-form{border:1px solid var(--line);border-radius:var(--radius);padding:1.25em;}
.field, .form-row{display:grid;gap:.35em;margin:0 0 1.1em;} label{font-weight:600;}
.form-row:has([type=checkbox]), .check{display:grid;grid-template-columns:auto minmax(0, 1fr);align-items:start;column-gap:.65em;}
.check, .form-row:has([type=checkbox]) label{font-weight:400;} .check{padding:.6em 0;}
.form-row:has([type=checkbox]) .form-problem{grid-column:1 / -1;}
input, select{font:inherit;color:var(--text);background:var(--page);inline-size:100%;max-inline-size:26em;min-block-size:2.75em;padding:.45em .7em;border:1px solid var(--edge);border-radius:var(--radius);}
input[type=checkbox]{inline-size:1.5em;min-block-size:1.5em;margin:0;accent-color:var(--fill);}
[aria-invalid=true]{border:2px solid var(--bad);} .form-problem, [role=alert]{color:var(--bad);font-weight:600;}
.form-problem::before, .form-problems p::before{content:"! ";} .form-optional{font-weight:400;color:var(--soft);}
.form-problems{border:2px solid var(--bad);border-radius:var(--radius);padding:1em 1.25em;margin:0 0 1.25em;}
.form-problems p{margin:0 0 .25em;} .form-problems ul{margin:0;padding-inline-start:1.25em;} .form-problems a{color:inherit;}
.sent{border-inline-start:4px solid var(--good);padding:.5em 1em;margin:0;}
fieldset{border:0;margin:0 0 1em;padding:0;min-inline-size:0;} legend{font-weight:600;padding:0;margin:0 0 .25em;}
.checklist{list-style:none;padding:0;} .checklist li{padding:.6em 0;padding-inline-start:2.1em;border-block-end:1px solid var(--line);position:relative;}
.checklist li::before{content:"";position:absolute;inset-inline-start:.1em;inset-block-start:.7em;inline-size:1.3em;block-size:1.3em;border:2px solid var(--edge);border-radius:50%;box-sizing:border-box;}
.checklist .is-done::before{content:"✓";content:"✓" / "";background:var(--fill);border-color:var(--fill);color:var(--on-fill);font-size:.9em;font-weight:700;line-height:1.15;text-align:center;}
.ends{display:flex;flex-wrap:wrap;gap:.75em;justify-content:space-between;margin-block-start:1.5em;}
.ends .next{margin-inline-start:auto;} .ends span{font-weight:400;} .ends:empty, .foot:empty{display:none;}
.foot{margin:1.5em 0 0;border-block-start:1px solid var(--line);padding-block-start:.5em;}
.skeleton i{display:block;block-size:1em;margin:0 0 .75em;border-radius:var(--radius);background:var(--line);animation:late .2s .2s both;}
.skeleton i:first-child{block-size:1.75em;inline-size:60%;} .skeleton i:last-child{inline-size:80%;}
[role=alert]:empty, [role=status]:empty{display:none;} [role=status]{margin:0 0 1em;} [role=status]:focus{outline:none;}
.unseen{position:absolute;inline-size:1px;block-size:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap;}
@keyframes late{from{opacity:0}}
@container (min-width: 34em){.page-content{grid-template-columns:repeat(2, minmax(0, 1fr));} .page-content > *{grid-column:1 / -1;}
  .block-product_card:has(+ .block-product_card), .block-product_card + .block-product_card{grid-column:auto;}}
@container (min-width: 48em){.has-steps{grid-template-columns:15em minmax(0, 1fr);gap:3em;padding-block-start:2em;}
  nav ol{display:block;} .toggle{display:none;}}
@media (forced-colors: active){.bar, .block-product_card{border:1px solid;} .bar span{background:Highlight;}}
@media (prefers-reduced-motion: no-preference){button, .button{transition:filter .1s;} button:hover, .button:hover{filter:brightness(.94);}}
@media (prefers-reduced-motion: reduce){*{animation:none !important;}}
`;
