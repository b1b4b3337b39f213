import type { Sql } from '../../platform/database/sql.ts';
import type { ListSource } from '../../platform/lists/sql.ts';

/** An export holds what was inserted before it was requested. */
export function contactReadSource(teamId: string): ListSource {
  return {
    from: '(select *, read_at as inserted_at from contact_reads) t',
    select: `t.*, 'contact_read' as type`,
    where: { text: 't.team_id = $1', values: [teamId] },
  };
}

/** Deletes lines whose term has ended, up to a limit; returns their number. */
export async function pruneContactReads(sql: Sql, limit: number): Promise<number> {
  const [row] = await sql<[{ pruned: number }]>`select prune_contact_reads(${limit}) as pruned`;
  return row.pruned;
}
