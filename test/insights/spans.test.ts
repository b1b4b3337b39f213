import { expect, test } from '@jest/globals';
import { divide } from '../../src/insights/rollups/spans.ts';

test.each([
  ['whole hours only', '10:00', '13:00', '20:00', [], ['10-13'], []],
  ['edges are rows', '09:30', '13:15', '20:00', [], ['10-13'], ['09:30-10', '13-13:15']],
  ['the latest are rows', '10:00', '13:00', '12:00', [], ['10-12'], ['12-13']],
  ['nothing is summed yet', '10:00', '13:00', '09:00', [], [], ['10-13']],
  ['a changed hour is rows', '10:00', '13:00', '20:00', ['11'], ['10-11', '12-13'], ['11-12']],
  ['changed ones in a row', '10:00', '14:00', '20:00', ['12', '11'], ['10-11', '13-14'], ['11-13']],
  ['changed at the end', '10:00', '13:30', '20:00', ['12', '13'], ['10-12'], ['12-13:30']],
  ['within an hour', '10:10', '10:50', '20:00', ['10'], [], ['10:10-10:50']],
  ['all changed', '10:00', '12:00', '20:00', ['10', '11'], [], ['10-12']],
])('%s', (_, from, to, until, changed, summed, live) => {
  const at = (time: string) => Date.parse(`2026-05-02T${time.padEnd(5, ':00')}Z`);
  const told = (spans: readonly { from: string; to: string }[]) =>
    spans.map((span) =>
      [span.from, span.to].map((time) => time.slice(11, 16).replace(':00', '')).join('-'),
    );
  const spans = divide(
    { fromMs: at(from), toMs: at(to) },
    { untilMs: at(until), changedMs: changed.map(at) },
  );
  expect([told(spans.summed), told(spans.live)]).toEqual([summed, live]);
});
