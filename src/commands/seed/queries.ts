import type { Sql } from '../../platform/database/sql.ts';

const firstNames = [
  'Ada',
  'Alan',
  'Amara',
  'Ben',
  'Carla',
  'Chen',
  'Dana',
  'Diego',
  'Elif',
  'Emil',
  'Fatima',
  'Grace',
  'Hana',
  'Ines',
  'Ivan',
  'Jonas',
  'Kofi',
  'Lena',
  'Luca',
  'Maria',
  'Mei',
  'Nils',
  'Noor',
  'Olga',
  'Omar',
  'Priya',
  'Rosa',
  'Sam',
  'Tomás',
  'Yuki',
  'Zoë',
];
const lastNames = [
  'Abe',
  'Ali',
  'Bauer',
  'Brown',
  'Chen',
  'Costa',
  'Diaz',
  'Dubois',
  'Evans',
  'Fischer',
  'Garcia',
  'Haddad',
  'Ito',
  'Jansen',
  'Jones',
  'Kaya',
  'Khan',
  'Kim',
  'Klein',
  'Kowalski',
  'Larsen',
  'Li',
  'Lopez',
  'Martin',
  'Mensah',
  'Meyer',
  'Moreau',
  'Nguyen',
  'Novak',
  'Okafor',
  'Patel',
  'Perez',
  'Popov',
  'Ricci',
  'Rossi',
  'Santos',
  'Sato',
  'Schmidt',
  'Silva',
  'Singh',
  'Smith',
  'Souza',
  'Suzuki',
  'Tanaka',
  'Usman',
  'Vogel',
  'Walker',
  'Wang',
  'Weber',
  'Young',
  'Zhang',
];

/**
 * Writes the contacts numbered from `first` on with their accounts, in one statement: names repeat as
 * they do in life, one in three is engaged, four in five have an account, some several.
 */
export async function seedContacts(
  sql: Sql,
  teamId: string,
  first: number,
  count: number,
): Promise<void> {
  await sql`
    with seeded as (
      insert into contacts (
        team_id, id, unique_id, email, first_name, last_name, phone, locale, timezone, postal_code,
        tags, attributes, consents, status, last_engaged_at, inserted_at, updated_at
      )
      select ${teamId}, gen_random_uuid(), 'seed-' || n,
        lower(names.first || '.' || names.last || n || '@example.com'), names.first, names.last,
        case when n % 3 > 0 then '+1555' || lpad(n::text, 8, '0') end,
        (array['en-US', 'es-US', 'en-US', 'fr-CA'])[1 + n % 4],
        (array['America/New_York', 'America/Chicago', 'America/Los_Angeles'])[1 + n % 3],
        lpad((n * 7919 % 99999)::text, 5, '0'),
        case n % 10 when 0 then array['vip'] when 1 then array['branch', 'new'] else '{}' end,
        jsonb_build_object('segment', (array['retail', 'business', 'student'])[1 + n % 3],
          'score', n * 31 % 1000),
        jsonb_build_object(
          'email', jsonb_build_object('status', case when n % 4 = 0 then 'never' else 'subscribed' end,
            'source', 'import'),
          'sms', jsonb_build_object('status', 'never'),
          'push', jsonb_build_object('status', 'never')),
        case when n % 500 = 0 then 'suppressed' else 'active' end,
        case when n % 3 = 0 then now() - make_interval(secs => n * 7919 % 7776000) end,
        joined.at, joined.at + make_interval(secs => least(n * 31 % 8640000,
          extract(epoch from now() - joined.at)))
      from generate_series(${first}::bigint, ${first + count - 1}::bigint) as numbers (n)
      cross join lateral (
        select (${firstNames}::text[])[1 + n * 7919 % ${firstNames.length}] as first,
          (${lastNames}::text[])[1 + n * 104729 % ${lastNames.length}] as last
      ) as names
      cross join lateral (
        select now() - make_interval(secs => n * 104729 % 63072000) as at
      ) as joined
      on conflict do nothing
      returning id, inserted_at, substr(unique_id, 6)::bigint as n
    )
    insert into accounts (
      team_id, contact_id, unique_id, kind, opened_at, closed_at, balance_cents, currency,
      is_primary, inserted_at, updated_at
    )
    select ${teamId}, s.id, 'acc-' || place,
      (array['deposit', 'loan', 'credit', 'investment', 'other'])[1 + (s.n + place) % 5],
      case when s.n % 9 > 0 then s.inserted_at end,
      case when s.n % 50 = 1 and s.n % 9 > 0 then now() end,
      (s.n * 7919 + place) % 10000000, 'USD', place = 1, s.inserted_at, s.inserted_at
    from seeded s
    cross join generate_series(1, case when s.n % 5 = 0 then 0 when s.n % 7 = 0 then 3 else 1 end)
      as places (place)`;
}

/** Makes the planner know the new rows; without the owner's rights Postgres skips it. */
export async function analyzeSeeded(sql: Sql, tables: readonly string[]): Promise<void> {
  await sql`vacuum (analyze) ${sql(tables)}`;
}
