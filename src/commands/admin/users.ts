import type { Command } from 'commander';
import type { Output } from '../../../sdk/cli/src/output.ts';
import { LocalFailure } from '../../local/local-failure.ts';
import { HttpError } from '../../platform/http/errors.ts';
import { userActivated, userInvited, userSuspended } from '../../team/events.ts';
import { publish } from '../../team/users/edit.ts';
import { listUsersOf, users } from '../../team/users/queries.ts';
import { reactivatedStatus } from '../../team/users/rules.ts';
import { parseId } from './arguments.ts';
import { withDatabase } from './connection.ts';
import { recordCommand } from './record-command.ts';
import { addSuspending } from './suspending.ts';

/** Operators may suspend every user, the last active admin of a team too. */
export function addUserCommands(program: Command, output: Output): void {
  const command = program.command('users').description('users of teams');

  command
    .command('list')
    .description('list the users of a team')
    .argument('<team-id>', 'id of the team', parseId)
    .action(async (teamId: string) => {
      const rows = await withDatabase((database) =>
        database.read((sql) => listUsersOf(sql, teamId)),
      );
      output.rows(
        rows.map(({ id, email, role, status }) => ({ id, email, role, status })),
        ['id', 'email', 'role', 'status'],
      );
    });

  addSuspending(command, output, {
    suspend: 'suspend a user',
    resume: 'end the suspension of a user',
    ids: ['team-id', 'user-id'],
    apply: async (database, [teamId = '', id = ''], { isSuspended, reason }) => {
      const row = await database
        .transact(async (sql) => {
          const before = await users.lock(sql, teamId, id);
          if ((before.status === 'suspended') === isSuspended) return before;
          const after = await users.update(sql, before, {
            status: isSuspended ? 'suspended' : reactivatedStatus(before),
            suspended_at: isSuspended ? new Date().toISOString() : null,
          });
          await recordCommand(sql, {
            ...{ teamId, resourceId: id, changedFields: ['status', 'suspended_at'], reason },
            action: isSuspended ? 'user.suspended' : 'user.reactivated',
          });
          return publish(sql, eventOf[after.status], after);
        })
        .catch((error: unknown) => {
          if (!(error instanceof HttpError)) throw error;
          throw new LocalFailure(`The team has no user ${id}; see \`users list\`.`);
        });
      return { id: row.id, email: row.email, status: row.status };
    },
  });
}

const eventOf = { suspended: userSuspended, active: userActivated, invited: userInvited };
