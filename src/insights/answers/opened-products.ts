import { Type } from 'typebox';
import { CentsSum, Count } from '../../platform/schema/fields.ts';
import { accountKinds } from '../../contacts/accounts/account.ts';
import {
  Rate,
  Truncated,
  filled,
  insight,
  rate,
  rowsOf,
  seriesOf,
  sum,
  top,
} from '../declaration.ts';
import type { Asked } from '../declaration.ts';
import { bucketOf, narrowed } from './conditions.ts';

const definition =
  'Accounts that were opened within the period, with their present balance, none counting as 0. An ' +
  'account is attributed when its contact had a journey, not held back, that began in the 90 days ' +
  'before it was opened.';
const shared = { definition, datasets: ['accounts', 'journeys'], version: 1 } as const;
const figures = {
  accounts_opened: Count(),
  balance_cents: CentsSum(),
  average_balance_cents: Type.Union([CentsSum('balance_cents / accounts_opened'), Type.Null()]),
  attributed_accounts: Count(),
  attributed_balance_cents: CentsSum(),
};

/** Counts of a product, or of a bucket. */
interface Counted {
  kind: (typeof accountKinds)[number] | null;
  product_id: string | null;
  bucket: number | null;
  accounts_opened: number;
  balance_cents: number;
  attributed_accounts: number;
  attributed_balance_cents: number;
}
type Row = Omit<Counted, 'bucket'>;

export const valueOfOpenedProducts = insight({
  ...shared,
  name: 'value-of-opened-products',
  summary: 'Opened products and their balances',
  filters: ['cohort'],
  value: Type.Object({
    products: rowsOf(
      Type.Object({
        kind: Type.Enum([...accountKinds]),
        product_id: Type.Optional(Type.String()),
        ...figures,
        share: Rate('Share of the balance of all'),
      }),
    ),
    truncated: Truncated,
    totals: Type.Object(figures),
  }),
  async compute(asked) {
    const { rows } = await openedProducts(asked);
    const totals = added(rows);
    const { rows: shown, truncated } = top(
      rows,
      (row) => row.balance_cents,
      ({ kind, product_id: id }) => `${kind} ${id ?? ''}`,
    );
    return {
      products: shown.map((row) => ({
        ...row,
        average_balance_cents: average(row),
        share: rate(row.balance_cents, totals.balance_cents),
      })),
      truncated,
      totals,
    };
  },
});

export const totalValueOfOpenedProducts = insight({
  ...shared,
  name: 'total-value-of-opened-products',
  summary: 'Opened accounts and their balances, over time',
  filters: ['cohort'],
  value: Type.Object({
    bucket: Type.Enum(['hour', 'day', 'week', 'month']),
    accounts_opened: Count(),
    total_balance_cents: CentsSum(),
    average_balance_cents: figures.average_balance_cents,
    attributed_accounts: Count(),
    attributed_balance_cents: CentsSum(),
    series: seriesOf({ accounts_opened: Count(), balance_cents: CentsSum() }),
  }),
  async compute(asked) {
    const { period } = asked;
    const { rows, byTime } = await openedProducts(asked);
    const { balance_cents: total_balance_cents, ...totals } = added(rows);
    return {
      bucket: period.bucket,
      total_balance_cents,
      ...totals,
      series: filled(asked, byTime, (row) => ({
        accounts_opened: row?.accounts_opened ?? 0,
        balance_cents: row?.balance_cents ?? 0,
      })),
    };
  },
});

/** By kind and product, and by bucket. */
async function openedProducts(asked: Asked) {
  const { sql, teamId, period } = asked;
  const counted = await sql<Counted[]>`
    with opened as materialized (
      select a.kind, a.product_id, a.balance_cents, ${bucketOf(asked, 'a.opened_at')} as bucket,
        exists (
          select from journeys j
          where j.team_id = ${teamId} and j.contact_id = a.contact_id and not j.is_holdout
            and j.enrolled_at <= a.opened_at
            and j.enrolled_at >= a.opened_at - interval '90 days') as is_attributed
      from accounts a
      where a.team_id = ${teamId} and a.deleted_at is null and a.opened_at >= ${period.start}
        and a.opened_at < ${period.end} ${narrowed(asked, 'a', ['cohort'])}
    )
    select kind, product_id, bucket, count(*) as accounts_opened,
      to_safe_integer(coalesce(sum(balance_cents), 0)) as balance_cents,
      count(*) filter (where is_attributed) as attributed_accounts,
      to_safe_integer(coalesce(sum(balance_cents) filter (where is_attributed), 0))
        as attributed_balance_cents
    from opened group by grouping sets ((kind, product_id), (bucket)) /* team_id is in the condition */`;
  return {
    rows: counted.flatMap(({ kind, bucket: _, ...row }) =>
      kind === null ? [] : [{ kind, ...row }],
    ),
    byTime: counted.flatMap(({ bucket, ...row }) => (bucket === null ? [] : [{ bucket, ...row }])),
  };
}

function added(rows: readonly Row[]) {
  const all = {
    accounts_opened: sum(rows, (row) => row.accounts_opened),
    balance_cents: sum(rows, (row) => row.balance_cents),
    attributed_accounts: sum(rows, (row) => row.attributed_accounts),
    attributed_balance_cents: sum(rows, (row) => row.attributed_balance_cents),
  };
  return { ...all, average_balance_cents: average(all) };
}

const average = ({
  balance_cents,
  accounts_opened,
}: Pick<Row, 'balance_cents' | 'accounts_opened'>) =>
  accounts_opened === 0 ? null : Math.round(balance_cents / accounts_opened);
