/**
 * Present entitlement of the client that a row names in a column: none while it is suspended, null
 * where the row names no client. The rows of earlier versions do not.
 */
export const entitledOf = (row: string, column: string) => `case
    when ${row}.${column} is not null then array(
      select unnest(c.scopes) from clients c
      where c.team_id = ${row}.team_id and c.id = ${row}.${column} and c.suspended_at is null)
    end`;
