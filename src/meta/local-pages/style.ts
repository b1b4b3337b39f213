/** Styles of what the scripts of the team's pages draw: lists, details, dialogs. */
export const style = `[hidden] { display: none !important; }
.field label { margin-bottom: .15rem; }
form { margin: .75rem 0; }
form button:not(.primary), .actions button { background: var(--field); color: var(--text); border-color: var(--edge); }
button.primary, form button.primary { background: var(--fill); color: var(--on-fill); border-color: var(--fill); }
button:disabled { opacity: .55; cursor: default; }
button.quiet { white-space: nowrap; flex: none; height: 1.6rem; padding: 0 .4rem; font-size: .8rem; background: none; color: var(--accent); border: 0; position: relative; z-index: 1; }
#session:not(:empty) { margin: .5rem 0 .75rem; }
#session .field { display: flex; gap: .5rem; align-items: center; } #session form { align-items: center; }
.small, .note { font-size: .9rem; }
.note { border-left: 3px solid var(--edge); background: var(--field); padding: .6rem .9rem; margin: .5rem 0; border-radius: 0 var(--radius) var(--radius) 0; }
.note p { margin: .1rem 0; } .note.bad { border-color: var(--bad); background: var(--bad-fill); } .note.good { border-color: var(--good); background: var(--good-fill); } .note.warn { border-color: var(--warn); background: var(--warn-fill); }
.empty, .loading { color: var(--soft); padding: 1.5rem 0; margin: 0; }
.badge { display: inline-block; font: 500 .8rem/1.5 var(--font); padding: 0 .5rem; border-radius: 1rem; background: var(--field); color: var(--soft); border: 1px solid var(--line); white-space: nowrap; letter-spacing: 0; }
.badge.good { background: var(--good-fill); color: var(--good); border-color: transparent; }
.badge.bad { background: var(--bad-fill); color: var(--bad); border-color: transparent; }
.badge.warn { background: var(--warn-fill); color: var(--warn); border-color: transparent; }
.rows { width: 100%; } .rows td { padding: .5rem .9rem .5rem 0; } .rows tr { position: relative; }
.rows.opens tbody tr:hover, .rows tr:has(a[aria-current]) { background: var(--field); }
.rows a.open { color: var(--text); text-decoration: none; font-weight: 500; overflow-wrap: anywhere; } .rows a.open::after { content: ""; position: absolute; inset: 0; }
.rows a.open:hover { color: var(--accent); } .rows td a:not(.open) { position: relative; z-index: 1; }
.rows td { overflow-wrap: anywhere; } .rows td:not(.main) { color: var(--soft); } .rows time { white-space: nowrap; }
.path { font: .85rem/1.5 var(--mono); } .links { display: inline-flex; flex-wrap: wrap; gap: .1rem .6rem; }
.soft { color: var(--soft); font-weight: 400; }
button.older { margin: 1rem 0; }
.tabs { margin: .25rem 0 .75rem; border-bottom: 1px solid var(--line); } .tabs a { color: var(--soft); text-decoration: none; padding: .35rem 0; border-bottom: 2px solid transparent; } .tabs a[aria-current] { color: var(--text); border-color: var(--accent); }
.crumbs { color: var(--soft); font-size: .9rem; margin-bottom: .5rem; overflow-wrap: anywhere; }
.item-head { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; justify-content: space-between; margin-bottom: .5rem; }
.item-head h1, .item-head h2 { margin: 0; font-size: var(--large); overflow-wrap: anywhere; } .item-head h1 { font-size: 1.5rem; } .item-head .badge { vertical-align: .2rem; } .panel .item-head { margin-right: 4.5rem; }
.item-head :is(h1, h2):focus { outline: none; }
.actions { display: flex; flex-wrap: wrap; gap: .5rem; }
.part:not(:empty) { margin-bottom: 1.25rem; } .part h2 { font-size: 1.1rem; margin: 1.5rem 0 .25rem; } .part h3 { font-size: 1rem; margin: 1.25rem 0 .25rem; color: var(--strong); }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 15rem), 1fr)); gap: .6rem 1.5rem; margin: .5rem 0 1rem; }
dt { color: var(--soft); font-size: .8rem; } dd { margin: 0; overflow-wrap: anywhere; }
.copyable { display: inline-flex; align-items: center; gap: .15rem; max-width: 100%; } .copyable code { overflow-wrap: anywhere; }
.code { border: 1px solid var(--line); border-radius: var(--radius); margin: .6rem 0; overflow: hidden; }
.code-head { display: flex; justify-content: space-between; align-items: center; padding: .25rem .75rem; font-size: .85rem; color: var(--soft); border-bottom: 1px solid var(--line); }
.code pre { margin: 0; border-radius: 0; max-height: 26rem; overflow: auto; }
.attempt { border: 1px solid var(--line); border-radius: var(--radius); margin: .6rem 0; padding: 0 .75rem; } .attempt summary { cursor: pointer; padding: .5rem 0; display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: center; } .attempt summary::before { content: "▸"; } .attempt[open] summary::before { content: "▾"; }
.meter { display: inline-flex; gap: .5rem; align-items: center; white-space: nowrap; } progress { width: 8rem; height: .5rem; accent-color: var(--accent); }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(8.5rem, 1fr)); gap: .5rem; margin: .75rem 0; }
.figures div { background: var(--field); border-radius: var(--radius); padding: .5rem .75rem; } .figures dd { font-size: 1.25rem; font-variant-numeric: tabular-nums; color: var(--strong); }
.contents { gap: .25rem 1rem; padding: .75rem 0; border-bottom: 1px solid var(--line); font-size: .9rem; }
section > h2 { margin: 0 0 .25rem; font-size: 1.25rem; } section[id] { border-bottom: 1px solid var(--line); padding: 1.25rem 0; scroll-margin-top: 1rem; }
.base { font-size: .8rem !important; color: var(--soft) !important; } .base.good { color: var(--good) !important; } .base.bad { color: var(--bad) !important; }
.overview { grid-template-columns: repeat(auto-fit, minmax(10.5rem, 1fr)); } .overview dd:first-of-type { font-size: 1.5rem; white-space: nowrap; } .chart { position: relative; max-width: 60rem; } .chart canvas { width: 100%; display: block; }
.steps > .field { margin-bottom: .75rem; } .part-head { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: center; } .part-head h3 { margin: 0; } .part-head select { height: 2rem; max-width: 100%; }
th button.quiet { height: auto; min-height: 0; padding: 0; font: inherit; color: inherit; white-space: inherit; text-align: inherit; } th[aria-sort=descending] button::after { content: " ▾" / ""; } th[aria-sort=ascending] button::after { content: " ▴" / ""; }
:is(td, th).number { text-align: right; font-variant-numeric: tabular-nums; } .wide th { white-space: nowrap; } details { font-size: .9rem; margin: .25rem 0; }
.timeline { list-style: none; margin: .75rem 0; padding: 0; } .timeline li { border-left: 2px solid var(--line); padding: 0 0 .9rem 1.1rem; position: relative; margin-left: .4rem; }
.timeline li::before { content: ""; position: absolute; left: -.42rem; top: .4rem; width: .7rem; height: .7rem; border-radius: 50%; background: var(--edge); } .timeline li.next::before { background: var(--page); border: 2px solid var(--accent); box-sizing: border-box; } .timeline li.good::before { background: var(--good); } .timeline li.bad::before { background: var(--bad); }
dialog { color: var(--text); background: var(--page); border: 1px solid var(--edge); border-radius: var(--radius); padding: 1.25rem; width: min(34rem, calc(100vw - 2rem)); max-height: calc(100vh - 2rem); } dialog::backdrop { background: rgb(0 0 0 / .5); }
dialog form { display: block; margin: 0; } dialog h2 { margin: 0; } dialog .field { margin: .6rem 0; } dialog .field :is(input, select) { width: 100%; } dialog .actions { margin-top: 1rem; flex-direction: row-reverse; }
.panel { min-width: 0; } .main { min-width: 0; container-type: inline-size; } .close { float: right; padding: .25rem; margin-right: .25rem; position: relative; z-index: 1; }
@media print { .top, .skip, #page > form, .contents, #session, button, .part-head select { display: none; } .wide { overflow: visible; } section, .part, .figures div { break-inside: avoid; } th button.quiet { display: inline; } }
@media (min-width: 64rem) {
.has-panel main { max-width: 100rem; } .has-panel .split { display: grid; grid-template-columns: minmax(0, 5fr) minmax(0, 6fr); gap: 1.5rem; align-items: start; }
.panel { position: sticky; top: 0; max-height: 100vh; overflow-y: auto; padding: 1rem 0 1rem 1.5rem; border-left: 1px solid var(--line); }
.has-panel .main .facts { grid-template-columns: repeat(auto-fill, minmax(min(100%, 11rem), 1fr)); }
}
@media (max-width: 63.99rem) {
body.has-panel { overflow: hidden; } .panel { position: fixed; inset: 0; z-index: 5; overflow-y: auto; background: var(--page); padding: 1rem clamp(1rem, 3vw, 1.5rem) 3rem; }
.close { padding: .6rem .9rem; border: 1px solid var(--edge); border-radius: var(--radius); text-decoration: none; margin-left: .75rem; }
}
@media (max-width: 40rem) {
input, button:not(.quiet), select { height: var(--target); } button.quiet { white-space: nowrap; flex: none; min-height: 1.75rem; }
.filters { display: grid; grid-template-columns: 1fr 1fr; } .filters :is(input, select) { width: 100%; } .filters .field:first-child:last-child { grid-column: 1 / -1; }
}
@container (max-width: 46rem) {
.rows, .rows tbody { display: block; } .rows thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.rows tr { display: flex; flex-wrap: wrap; gap: .1rem .9rem; border-bottom: 1px solid var(--line); padding: .7rem 0; align-items: baseline; }
.rows td { border: 0; padding: 0; font-size: .85rem; } .rows td.none { display: none; } .rows td.main { order: -2; flex: 1 1 60%; font-size: .95rem; } .rows td.status { order: -1; margin-left: auto; }
.rows td:not(.main, .status, .bare)::before { content: attr(data-label) " "; color: var(--soft); } .rows.opens tr { padding-right: .25rem; }
}
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }`;
