import { Type } from 'typebox';
import { CentsSum, Count, Id } from '../../platform/schema/fields.ts';
import { saturated } from '../../platform/schema/rules.ts';
import { accountKinds } from '../../contacts/accounts/account.ts';
import { Rate, Truncated, countsOf, insight, rate, rowsOf, sum, top } from '../declaration.ts';
import { eligibleContacts, narrowed } from './conditions.ts';

interface Row {
  objective_id: string;
  key: string;
  name: string;
  eligible: number;
  completed: number;
  unit_value_cents: number;
}

export const gapAnalysis = insight({
  name: 'gap-analysis',
  summary: 'Objectives and products that contacts still lack, and their potential value',
  definition:
    'As of the end of the period, eligible for an objective is who is an active contact and has had ' +
    'a journey, not held back, of a template with the objective; completed, who of them has ' +
    'completed it. The gap times what a completion is credited with now is potential_value_cents. ' +
    'Products are open accounts of active contacts, by kind.',
  datasets: ['journeys', 'objective_completions', 'contacts', 'accounts'],
  version: 1,
  filters: ['template', 'cohort'],
  value: Type.Object({
    objectives: rowsOf(
      Type.Object({
        objective_id: Id(),
        key: Type.String(),
        name: Type.String(),
        eligible: Count(),
        completed: Count(),
        gap: Count('eligible - completed'),
        gap_rate: Rate('gap / eligible'),
        potential_value_cents: CentsSum(),
      }),
    ),
    truncated: Truncated,
    products: Type.Array(
      Type.Object({
        kind: Type.Enum([...accountKinds]),
        contacts_with: Count(),
        contacts_without: Count(),
        penetration_rate: Rate('contacts_with / active contacts'),
      }),
    ),
    totals: Type.Object({ potential_value_cents: CentsSum() }),
  }),
  async compute(asked) {
    const { sql, teamId, period } = asked;
    const rows = await sql<Row[]>`
      with eligible as (${eligibleContacts(asked)})
      select o.id as objective_id, o.key, o.name, o.value_cents as unit_value_cents,
        coalesce(e.eligible, 0) as eligible, coalesce(e.completed, 0) as completed
      from objectives o
      left join (
        select objective_id, count(*) as eligible, count(*) filter (where has_completed) as completed
        from eligible group by 1
      ) e on e.objective_id = o.id
      where o.team_id = ${teamId} and o.deleted_at is null
        and (e.objective_id is not null or (o.is_active and o.archived_at is null))`;
    const [{ contacts }] = await sql<[{ contacts: number }]>`
      select count(*) as contacts from (select t.*, t.id as contact_id from contacts t) t
      where t.team_id = ${teamId} and t.status = 'active' and t.inserted_at < ${period.end}
        ${narrowed(asked, 't', ['cohort'])}`;
    const holders = await sql<{ key: string; count: number }[]>`
      select a.kind as key, count(distinct a.contact_id) as count
      from accounts a
      join contacts t on t.team_id = ${teamId} and t.id = a.contact_id and t.status = 'active'
        and t.inserted_at < ${period.end}
      where a.team_id = ${teamId} and a.deleted_at is null and a.opened_at < ${period.end}
        and coalesce(a.closed_at, 'infinity') >= ${period.end} ${narrowed(asked, 'a', ['cohort'])}
      group by 1`;
    const withGaps = rows.map(({ unit_value_cents: unit, ...row }) => {
      const gap = row.eligible - row.completed;
      return {
        ...row,
        gap,
        gap_rate: rate(gap, row.eligible),
        potential_value_cents: saturated(gap * unit),
      };
    });
    const { rows: objectives, truncated } = top(
      withGaps,
      (row) => row.potential_value_cents,
      ({ objective_id: id }) => id,
    );
    const holding = countsOf(holders);
    return {
      objectives,
      truncated,
      products: accountKinds.map((kind) => ({
        kind,
        contacts_with: holding(kind),
        contacts_without: contacts - holding(kind),
        penetration_rate: rate(holding(kind), contacts),
      })),
      totals: { potential_value_cents: sum(withGaps, (row) => row.potential_value_cents) },
    };
  },
});
