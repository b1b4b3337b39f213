import type { Answer, Table } from './answers.ts';
import { rowOf, rowsOf, textOf } from './values.ts';
import type { Row } from './values.ts';

/** Steps of a recipient in a funnel. */
const funnel = [
  ['enrolled', 'Enrolled'],
  ['reached', 'Reached'],
  ['delivered', 'Delivered'],
  ['opened', 'Opened'],
  ['clicked', 'Clicked'],
] as const;

const countIn = (row: Row, name: string) => Number(row[name] ?? 0);
const shareOf = (part: number, whole: number) => (whole === 0 ? null : part / whole);

const columns: Table['columns'] = [
  { key: 'name', label: 'Step', unit: 'plain' },
  { key: 'recipients', label: 'Recipients', unit: 'plain' },
  { key: 'of_enrolled', label: 'Of the enrolled', unit: 'share' },
  { key: 'lost', label: 'Lost at this step', unit: 'plain' },
  { key: 'lost_share', label: 'Lost, of the step before', unit: 'share' },
];

/** The funnel of all campaigns, and of each: where recipients are lost. */
export function stepTables({ value }: Answer): { name: string; table: Table }[] {
  const all = { ...rowOf(value['totals']), name: 'All campaigns' };
  return [all, ...rowsOf(value['campaigns'])].map((row: Row) => ({
    name: textOf(row['name']),
    table: {
      key: 'steps',
      label: 'Where recipients are lost',
      columns,
      rows: stepsOf(row),
      kind: 'steps',
    },
  }));
}

function stepsOf(row: Row): Row[] {
  const enrolled = countIn(row, 'enrolled');
  const steps = funnel.map(([key, name], at) => {
    const recipients = countIn(row, key);
    const before = countIn(row, funnel[at - 1]?.[0] ?? key);
    // Mail programs that block images report no opening, and clicks all the same.
    const lost = at === 0 || recipients > before ? null : before - recipients;
    return {
      name,
      lost,
      lost_share: lost === null ? null : shareOf(lost, before),
      recipients,
      of_enrolled: shareOf(recipients, enrolled),
    };
  });
  // Some complete an objective without a click.
  const completed = countIn(row, 'completed_journeys');
  const last = { name: 'Completed an objective', lost: null, lost_share: null };
  return [...steps, { ...last, recipients: completed, of_enrolled: shareOf(completed, enrolled) }];
}
