import { changedFields } from '../../platform/events/record.ts';
import { endpoint } from '../../platform/http/endpoint.ts';
import { fail } from '../../platform/http/errors.ts';
import { standardEndpoints } from '../../platform/resources/standard-endpoints.ts';
import { inStoredForm } from '../../platform/schema/email.ts';
import { userActivated, userDeleted, userInvited, userSuspended, userUpdated } from '../events.ts';
import { freshInvite, keepAnAdmin, lockFor, lockUser, publish } from './edit.ts';
import { users } from './queries.ts';
import { isInviteExpired, maxUsers, reactivatedStatus } from './rules.ts';
import { User, UserActivate, userListFields } from './user.ts';

const tag = 'Users';
const path = '/v2/partner/users';
const scope = 'partner:users:write';
const standard = standardEndpoints(
  { ...users, lock: lockUser },
  { tag, path, scope: 'partner:users' },
);

export const listUsers = standard.list({
  summary: 'List users',
  description:
    'Returns the users of the team. Invited and suspended ones are among them. The role is for the applications of the team: the service grants nothing by it.',
  audit: { counted: 'user.read' },
  fields: userListFields,
  defaultSort: '-inserted_at',
});

export const createUser = standard.create({
  summary: 'Invite a user; the role is viewer unless given',
  description:
    'Adds a user with the status invited and records the event user.invited. The service sends ' +
    'no mail: send the invitation when you receive the event. A status in the body is accepted ' +
    'and ignored; a user becomes active by the operation activateUser. The role is viewer ' +
    'unless the body names another one, and the invitation expires after seven days. The address ' +
    'must be unique in the team, and a team has at most 1,000 users.',
  audit: 'user.invited',
  quota: maxUsers,
  async handle({ sql, teamId, body }) {
    const user = await users.insert(sql, teamId, {
      email: inStoredForm(body.email),
      name: body.name,
      role: body.role ?? 'viewer',
      status: 'invited',
      ...freshInvite(),
    });
    return publish(sql, userInvited, user);
  },
});

export const getUser = standard.get({
  summary: 'Get a user',
  description:
    'Returns one user with the role, the status and the end of an open invitation. It has no ' +
    'side effects.',
  audit: { counted: 'user.read' },
});

export const updateUser = standard.update({
  summary: 'Update the address, name or role of a user; the last active admin cannot be demoted',
  description:
    'Changes the address, the name or the role of a user and records the event user.updated. ' +
    'The last active admin cannot lose the role. An address that another user has is refused ' +
    'with 409. The change is recorded in the audit trail.',
  errors: ['last_admin'],
  async handle({ sql, body }, before) {
    const { email, ...changes } = users.change(before, body);
    const requested = { ...changes, email: inStoredForm(email) };
    if (!changedFields(User, before, { ...before, ...requested })) return before;
    await keepAnAdmin(sql, before, { ...before, ...requested });
    const after = await users.update(sql, before, requested);
    return publish(sql, userUpdated, after, changedFields(User, before, after));
  },
});

export const deleteUser = standard.delete({
  summary: 'Delete a user, unless it is the last active admin',
  description:
    'Deletes a user permanently and records the event user.deleted. The last active admin cannot ' +
    'be deleted. Audit events of the user stay.',
  errors: ['last_admin'],
  async handle({ sql, teamId }, before) {
    await keepAnAdmin(sql, before, undefined);
    publish(sql, userDeleted, await users.remove(sql, teamId, before.id));
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
    return publish(call.sql, userInvited, await users.update(call.sql, before, freshInvite()));
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
    const after = await users.update(call.sql, before, { status: 'active', ...stamps });
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
    return publish(call.sql, userSuspended, await users.update(call.sql, before, suspended));
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
    const after = await users.update(call.sql, before, { status, suspended_at: null });
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
