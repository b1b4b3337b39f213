import type { Sql } from '../platform/database/sql.ts';
import type { FrequencyCap, QuietHours, Retention, Tracking } from './team.ts';

/** Fields of a team that it can change. */
export interface TeamSettings {
  name: string;
  timezone: string;
  locale: string;
  currency: string;
  quiet_hours: QuietHours | null;
  frequency_cap: FrequencyCap | null;
  retention: Retention | null;
  tracking: Tracking | null;
  sms_allowed_prefixes: string[];
  requires_provider_release: boolean;
  is_in_benchmarks: boolean;
}

export interface TeamRow extends TeamSettings {
  id: string;
  type: 'team';
  /** The same as the id. */
  team_id: string;
  tier: string;
  /** Null unless an operator has suspended it. */
  suspended_at: string | null;
  lock_version: number;
  inserted_at: string;
  updated_at: string;
}

const shown = `*, id as team_id, 'team' as type`;

export async function insertTeam(sql: Sql, name: string, tier: string): Promise<TeamRow> {
  const [row] = await sql<[TeamRow]>`
    insert into teams (name, tier) values (${name}, ${tier})
    returning ${sql.unsafe(shown)}`;
  return row;
}

export async function setTeamTier(sql: Sql, teamId: string, tier: string) {
  const [row] = await sql<TeamRow[]>`
    update teams set tier = ${tier}, updated_at = now(), lock_version = lock_version + 1
    where id = ${teamId} /* team_id is this id */
    returning ${sql.unsafe(shown)}`;
  return row;
}

/** Changes a team that exists. */
export async function setTeamSuspended(sql: Sql, teamId: string, isSuspended: boolean) {
  const [row] = await sql<[TeamRow]>`
    update teams
    set suspended_at = case when ${isSuspended} then coalesce(suspended_at, now()) end,
      updated_at = now(), lock_version = lock_version + 1
    where id = ${teamId} /* team_id is this id */
    returning ${sql.unsafe(shown)}`;
  return row;
}

/** Undefined where there is no team of this id. */
export async function setProviderRelease(sql: Sql, teamId: string, isRequired: boolean) {
  const [row] = await sql<TeamRow[]>`
    update teams
    set requires_provider_release = ${isRequired}, updated_at = now(),
      lock_version = lock_version + 1
    where id = ${teamId} /* team_id is this id */
    returning ${sql.unsafe(shown)}`;
  return row;
}

interface TeamStateRow {
  id: string;
  is_suspended: boolean;
  link_days: number | null;
  domain: string | null;
  /** Whether the domain, or one above it, is a verified sending domain of the team. */
  is_verified: boolean;
}

/** The teams that are suspended, and those that track. */
export async function listTeamStates(sql: Sql): Promise<TeamStateRow[]> {
  return sql<TeamStateRow[]>`
    select t.id, t.suspended_at is not null as is_suspended,
      (t.tracking ->> 'links_expire_after_days')::int as link_days,
      t.tracking ->> 'domain' as domain,
      exists (
        select from sending_domains d
        where d.team_id = t.id and d.status = 'verified' and d.deleted_at is null
          and '.' || (t.tracking ->> 'domain') like '%.' || d.domain
      ) as is_verified
    from teams t
    where t.suspended_at is not null or t.tracking is not null /* any team: nobody has called yet */`;
}

/** Another team that has the tracking domain, locked until the end of the transaction. */
export async function lockDomainHolder(
  sql: Sql,
  teamId: string,
  domain: string,
): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`
    select id from teams
    where tracking ->> 'domain' = ${domain} and id <> ${teamId} /* any team: one has a domain */
    for no key update`;
  return row?.id;
}

/** Its new links have the address of the service. */
export async function removeTrackingDomain(sql: Sql, teamId: string): Promise<void> {
  await sql`
    update teams
    set tracking = tracking - 'domain', updated_at = now(), lock_version = lock_version + 1
    where id = ${teamId} /* team_id is this id */`;
}

export async function listTeams(sql: Sql): Promise<TeamRow[]> {
  return sql<TeamRow[]>`
    select ${sql.unsafe(shown)} from teams
    order by inserted_at, id /* any team: operators */`;
}

/** The team of a token, which exists. */
export async function requireTeam(sql: Sql, teamId: string): Promise<TeamRow> {
  const [row] = await sql<[TeamRow]>`
    select ${sql.unsafe(shown)} from teams
    where id = ${teamId} /* team_id is this id */`;
  return row;
}

/**
 * Makes changes of one team's administration wait for each other, so that what they count stays
 * true until they commit. Nothing else waits for it.
 */
export async function lockTeam(sql: Sql, teamId: string): Promise<TeamRow> {
  const [row] = await sql<[TeamRow]>`
    select ${sql.unsafe(shown)} from teams
    where id = ${teamId} /* team_id is this id */
    for no key update`;
  return row;
}

/** Waits for changes under `lockTeam`, and makes later ones wait; others that do the same do not. */
export async function shareTeam(sql: Sql, teamId: string): Promise<void> {
  await sql`select from teams where id = ${teamId} /* team_id is this id */ for share`;
}

/** The bytes of the files of a team, and its tier. */
export async function findFileBytes(
  sql: Sql,
  teamId: string,
): Promise<{ bytes: number; tier: string }> {
  const [row] = await sql<[{ bytes: number; tier: string }]>`
    select coalesce(f.bytes, 0) as bytes, t.tier
    from teams t
    left join file_bytes f on f.team_id = t.id
    where t.id = ${teamId} /* team_id is this id */`;
  return row;
}

/** The bytes of the files of all teams. */
export async function sumFileBytes(sql: Sql): Promise<number> {
  const [row] = await sql<[{ bytes: number }]>`
    select coalesce(sum(bytes), 0)::bigint as bytes
    from file_bytes /* any team: a figure of the installation */`;
  return row.bytes;
}

export async function updateTeamRow(
  sql: Sql,
  teamId: string,
  { quiet_hours, frequency_cap, retention, tracking, ...plain }: TeamSettings,
): Promise<TeamRow> {
  const settings = {
    ...plain,
    quiet_hours: quiet_hours && sql.json(quiet_hours),
    frequency_cap: frequency_cap && sql.json(frequency_cap),
    retention: retention && sql.json(retention),
    tracking: tracking && sql.json(tracking),
  };
  const [row] = await sql<[TeamRow]>`
    update teams
    set ${sql(settings)}, lock_version = lock_version + 1, updated_at = now()
    where id = ${teamId} /* team_id is this id */
    returning ${sql.unsafe(shown)}`;
  return row;
}
