import { countRows } from '../../platform/database/count-rows.ts';
import { changedFields } from '../../platform/events/record.ts';
import { userActivated, userDeleted, userInvited, userSuspended, userUpdated } from '../events.ts';
import { endpoint } from '../../platform/http/endpoint.ts';
import { fail } from '../../platform/http/errors.ts';
import { listEndpoint } from '../../platform/lists/list-endpoint.ts';
import { inStoredForm } from '../../platform/schema/email.ts';
import { lockTeam } from '../queries.ts';
import { checkQuota } from '../../platform/resources/quota.ts';
import { freshInvite, keepAnAdmin, lock, lockFor, publish, refuseTakenEmail } from './edit.ts';
import { deleteUserRow, insertUser, requireUser, updateUserRow, userSource } from './queries.ts';
import { isInviteExpired, maxUsers, reactivatedStatus } from './rules.ts';
import { User, UserActivate, UserCreate, UserPatch, userListFields } from './user.ts';

const tag = 'Users';
const path = '/v2/partner/users';
const scope = 'partner:users:write';

export const listUsers = listEndpoint({
  id: 'listUsers',
  path,
  summary: 'List users',
  description:
    'Returns the users of the team. Invited and suspended ones are among them. The role is for the applications of the team: the service grants nothing by it.',
  tag,
  scope: 'partner:users:read',
  audit: { counted: 'user.read' },
  item: User,
  fields: userListFields,
  defaultSort: '-inserted_at',
  source: ({ teamId }) => userSource(teamId),
});

export const createUser = endpoint({
  id: 'createUser',
  method: 'POST',
  path,
  summary: 'Invite a user; the role is viewer unless given',
  description:
    'Adds a user with the status invited and records the event user.invited. The service sends ' +
    'no mail: send the invitation when you receive the event. A status in the body is accepted ' +
    'and ignored; a user becomes active by the operation activateUser. The role is viewer ' +
    'unless the body names another one, and the invitation expires after seven days. The address ' +
    'must be unique in the team, and a team has at most 1,000 users.',
  errors: ['email_taken', 'quota_exceeded'],
  tag,
  scope,
  rateClass: 'write',
  body: UserCreate,
  status: 201,
  response: User,
  location: `${path}/{id}`,
  audit: 'user.invited',
  async handle({ sql, teamId, body }) {
    await lockTeam(sql, teamId);
    const email = inStoredForm(body.email);
    await refuseTakenEmail(sql, teamId, email);
    await checkQuota(sql, teamId, {
      name: 'users',
      limit: maxUsers,
      count: countRows('users'),
    });
    const user = await insertUser(sql, teamId, {
      email,
      name: body.name ?? null,
      role: body.role ?? 'viewer',
      status: 'invited',
      ...freshInvite(),
    });
    return publish(sql, userInvited, user);
  },
});

export const getUser = endpoint({
  id: 'getUser',
  method: 'GET',
  path: `${path}/{id}`,
  summary: 'Get a user',
  description:
    'Returns one user with the role, the status and the end of an open invitation. It has no ' +
    'side effects.',
  tag,
  scope: 'partner:users:read',
  rateClass: 'read',
  audit: { counted: 'user.read' },
  response: User,
  handle: ({ sql, teamId, params }) => requireUser(sql, teamId, params.id),
});

export const updateUser = endpoint({
  id: 'updateUser',
  method: 'PATCH',
  path: `${path}/{id}`,
  summary: 'Update the address, name or role of a user; the last active admin cannot be demoted',
  description:
    'Changes the address, the name or the role of a user and records the event user.updated. ' +
    'The last active admin cannot lose the role. An address that another user has is refused ' +
    'with 409. The change is recorded in the audit trail.',
  errors: ['last_admin', 'email_taken'],
  tag,
  scope,
  rateClass: 'write',
  body: UserPatch,
  response: User,
  audit: 'user.updated',
  async handle(call) {
    const { sql, teamId, body } = call;
    const before = await lock(call);
    const wanted = {
      email: body.email === undefined ? before.email : inStoredForm(body.email),
      name: body.name === undefined ? before.name : body.name,
      role: body.role ?? before.role,
    };
    if (!changedFields(User, before, { ...before, ...wanted })) return before;
    await keepAnAdmin(sql, before, { ...before, ...wanted });
    if (wanted.email !== before.email) {
      await refuseTakenEmail(sql, teamId, wanted.email, before.id);
    }
    const after = await updateUserRow(sql, before, wanted);
    return publish(sql, userUpdated, after, changedFields(User, before, after));
  },
});

export const deleteUser = endpoint({
  id: 'deleteUser',
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'Delete a user, unless it is the last active admin',
  description:
    'Deletes a user permanently and records the event user.deleted. The last active admin cannot ' +
    'be deleted. Audit events of the user stay.',
  errors: ['last_admin'],
  tag,
  scope: 'partner:users:delete',
  rateClass: 'write',
  audit: 'user.deleted',
  async handle(call) {
    const { sql, teamId } = call;
    const before = await lock(call);
    await keepAnAdmin(sql, before, undefined);
    publish(sql, userDeleted, await deleteUserRow(sql, teamId, before.id));
    return undefined;
  },
});

export const resendUserInvite = endpoint({
  id: 'resendUserInvite',
  method: 'POST',
  path: `${path}/{id}/resend-invite`,
  summary: 'Resend the invitation of a user, valid for another seven days',
  description:
    'Invites a user again, and the invitation is valid for another seven days. It records the ' +
    'event user.invited and sends no mail. A user who has signed in is refused with 409.',
  errors: ['invalid_state_transition', 'precondition_failed'],
  tag,
  scope,
  rateClass: 'execute',
  response: User,
  audit: 'user.invite_resent',
  async handle(call) {
    const before = await lockFor(call, 'resend-invite');
    return publish(call.sql, userInvited, await updateUserRow(call.sql, before, freshInvite()));
  },
});

export const activateUser = endpoint({
  id: 'activateUser',
  method: 'POST',
  path: `${path}/{id}/activate`,
  summary: 'Activate an invited user after the first sign-in at your identity provider',
  description:
    'Records that an invited user has signed in for the first time, and makes the user ' +
    'active. The service that signs users in calls it. An expired invitation is refused with ' +
    '409: send it again first. It records the event user.activated.',
  errors: ['invalid_state_transition', 'invite_expired', 'precondition_failed'],
  tag,
  scope,
  rateClass: 'execute',
  body: UserActivate,
  bodyOptional: true,
  response: User,
  audit: 'user.activated',
  async handle(call) {
    const before = await lockFor(call, 'activate');
    if (isInviteExpired(before, Date.now())) {
      throw fail('invite_expired', {
        detail: 'The invitation has expired; resend it first.',
        meta: { invite_expires_at: before.invite_expires_at, allowed_actions: ['resend-invite'] },
      });
    }
    const { mfa_enabled = null } = call.body;
    const stamps = { mfa_enabled, last_signed_in_at: new Date().toISOString() };
    const after = await updateUserRow(call.sql, before, { status: 'active', ...stamps });
    return publish(call.sql, userActivated, after);
  },
});

export const suspendUser = endpoint({
  id: 'suspendUser',
  method: 'POST',
  path: `${path}/{id}/suspend`,
  summary: 'Suspend a user, unless it is the last active admin',
  description:
    'Suspends a user, who then counts as inactive, and records the event user.suspended. The ' +
    'last active admin cannot be suspended. End the suspension with the operation ' +
    'reactivateUser.',
  errors: ['invalid_state_transition', 'last_admin', 'precondition_failed'],
  tag,
  scope,
  rateClass: 'execute',
  response: User,
  audit: 'user.suspended',
  async handle(call) {
    const before = await lockFor(call, 'suspend');
    const suspended = { status: 'suspended', suspended_at: new Date().toISOString() } as const;
    await keepAnAdmin(call.sql, before, { ...before, ...suspended });
    return publish(call.sql, userSuspended, await updateUserRow(call.sql, before, suspended));
  },
});

export const reactivateUser = endpoint({
  id: 'reactivateUser',
  method: 'POST',
  path: `${path}/{id}/reactivate`,
  summary: 'Reactivate a suspended user; active again, or invited if the user never signed in',
  description:
    'Ends the suspension of a user. The user is active again, or invited if the user has ' +
    'never signed in. It records the event user.activated or user.invited. A user who is not ' +
    'suspended is refused with 409.',
  errors: ['invalid_state_transition', 'precondition_failed'],
  tag,
  scope,
  rateClass: 'execute',
  response: User,
  audit: 'user.reactivated',
  async handle(call) {
    const before = await lockFor(call, 'reactivate');
    const status = reactivatedStatus(before);
    const after = await updateUserRow(call.sql, before, { status, suspended_at: null });
    return publish(call.sql, status === 'active' ? userActivated : userInvited, after);
  },
});

export const userEndpoints = [
  listUsers,
  createUser,
  getUser,
  updateUser,
  deleteUser,
  resendUserInvite,
  activateUser,
  suspendUser,
  reactivateUser,
];
