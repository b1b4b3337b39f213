import { element } from '../../../widget/script/dom.ts';
import type { Answer } from './answers.ts';
import { windowOf } from './buckets.ts';
import { sectionHref } from './question.ts';
import { reasonOfSkip } from './timelines.ts';
import { figureOf } from './units.ts';
import { rowOf } from './values.ts';
import type { Row } from './values.ts';

/** Insights that the overview is made of, in the order in which they are asked. */
export const overviewNames = ['performance', 'campaign-performance', 'messages'] as const;

/** From here a change, or a share of messages, is worth a look. */
const notableChange = 0.1;
const notableBounces = 0.05;
const notableSkips = 0.05;

const countOf = (row: Row, name: string) => Number(row[name] ?? 0);

/** The figures that a team looks at first, and sentences on what stands out. */
export function drawOverview(
  answers: ReadonlyMap<string, Answer>,
  currency: string | undefined,
): HTMLElement[] {
  const performance = answers.get('performance')?.value ?? {};
  const now = rowOf(performance['current']);
  const change = rowOf(performance['change']);
  const tile = (label: string, value: string, changed: unknown) =>
    element(
      'div',
      {},
      element('dt', {}, label),
      element('dd', {}, value),
      ...(typeof changed === 'number'
        ? [
            element(
              'dd',
              { class: `base ${changed < 0 ? 'bad' : changed > 0 ? 'good' : ''}` },
              `${figureOf('change', changed)} against the period before`,
            ),
          ]
        : []),
    );
  const count = (name: string) => figureOf('plain', now[name]);
  const source = answers.get('performance')?.source;
  return [
    ...(source ? [element('p', { class: 'small soft' }, windowOf(source))] : []),
    element(
      'dl',
      { class: 'figures overview' },
      tile('Enrolled', count('enrolled'), change['enrolled']),
      tile('Reached', count('reached'), change['reached']),
      tile('Engaged', count('engaged'), change['engaged']),
      tile('Completions', count('completions'), change['completions']),
      tile(
        'Value of all completions',
        figureOf('money', now['value_cents'], currency),
        change['value_cents'],
      ),
    ),
    element('h3', {}, 'What to look at'),
    element(
      'ul',
      {},
      ...lookAt(answers).map(([text, name]) =>
        element('li', {}, `${text} `, element('a', { href: sectionHref(name) }, 'See the figures')),
      ),
    ),
  ];
}

const watched = [
  ['enrolled', 'Enrolled contacts'],
  ['reached', 'Reached contacts'],
  ['engaged', 'Engaged contacts'],
  ['completions', 'Completions'],
  ['value_cents', 'The value of all completions'],
  ['engagement_rate', 'The share of the engaged'],
] as const;

function lookAt(answers: ReadonlyMap<string, Answer>): [text: string, name: string][] {
  const found: [string, string][] = [];
  const change = rowOf(answers.get('performance')?.value['change']);
  for (const [name, text] of watched) {
    const by = change[name];
    if (typeof by !== 'number' || Math.abs(by) < notableChange) continue;
    const verb = by < 0 ? 'fell' : 'rose';
    found.push([
      `${text} ${verb} by ${figureOf('share', Math.abs(by))} against the period before.`,
      'performance',
    ]);
  }
  const messages = rowOf(answers.get('messages')?.value);
  const totals = rowOf(messages['totals']);
  if (countOf(totals, 'bounce_rate') > notableBounces) {
    found.push([
      `${figureOf('share', totals['bounce_rate'])} of the messages bounced.`,
      'messages',
    ]);
  }
  const skipped = Object.entries(rowOf(messages['skipped_by_reason']))
    .map(([reason, count]) => [reason, Number(count)] as const)
    .sort(([, a], [, b]) => b - a);
  const [[reason, most] = ['', 0]] = skipped;
  if (most > notableSkips * countOf(totals, 'sent')) {
    found.push([
      `${most === 1 ? '1 message was' : `${most.toLocaleString()} messages were`} not sent. ${reasonOfSkip(reason)}`,
      'messages',
    ]);
  }
  return found.length > 0 ? found : [['Nothing stands out.', 'performance']];
}
