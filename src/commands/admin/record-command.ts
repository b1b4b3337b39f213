import { randomUUID } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import type { Sql } from '../../platform/database/sql.ts';
import { insertAuditEvent, installationTrail } from '../../platform/http/audit.ts';
import { traceOfRun } from '../../platform/http/trace.ts';
import type { CommandAction } from './commands-audit.ts';
import { withDatabase } from './connection.ts';
import { cutText } from '../../platform/cut-text.ts';

interface Command {
  /** The team whose trail it belongs to; that of the installation unless given. */
  teamId?: string;
  action: CommandAction;
  /** Absent for keys of the file, whose ids are no UUIDs. */
  resourceId?: string;
  changedFields?: readonly string[];
  /** The reason that the operator gave. */
  reason?: string;
}

const noResource = '00000000-0000-0000-0000-000000000000';

/** Writes the audit event of an admin command, in the transaction of its change. */
export async function recordCommand(sql: Sql, command: Command): Promise<void> {
  const { teamId = installationTrail, action, resourceId = noResource } = command;
  const { changedFields = [], reason } = command;
  const about = {
    ...{ teamId, action, resourceId, changedFields, clientId: null },
    ...(reason !== undefined && { reason }),
  };
  await insertAuditEvent(sql, { ...about, actor: operator(), trace: traceOfRun(randomUUID()) });
}

/** Records the audit event of a change outside the database; returns the reason if that fails. */
export async function recordFileChange(command: Command): Promise<string> {
  try {
    await withDatabase((database) => database.transact((sql) => recordCommand(sql, command)));
    return 'recorded';
  } catch (error) {
    return `not recorded: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** The operator by the names of the operating system. */
function operator(): string {
  return cutText(`${userName()}@${hostname()}`, 200);
}

/** A container may run with a user id that has no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid-${String(process.getuid?.())}`;
  }
}
