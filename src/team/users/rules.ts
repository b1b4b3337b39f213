export const maxUsers = 1_000;

/** Lifetime of an invitation. */
export const inviteLifetimeMs = 7 * 86_400_000;

export type UserRole = 'admin' | 'editor' | 'viewer';
export type UserStatus = 'active' | 'invited' | 'suspended';
export type UserAction = 'activate' | 'resend-invite' | 'suspend' | 'reactivate';

/** Facts about a user for the rules; timestamps are RFC 3339. */
export interface UserState {
  role: UserRole;
  status: UserStatus;
  invite_expires_at: string;
  last_signed_in_at: string | null;
}

const actions: Readonly<Record<UserStatus, readonly UserAction[]>> = {
  invited: ['activate', 'resend-invite', 'suspend'],
  active: ['suspend'],
  suspended: ['reactivate'],
};

export function allowedActions({ status }: Pick<UserState, 'status'>): readonly UserAction[] {
  return actions[status];
}

/** A user who has never signed in becomes invited again. */
export function reactivatedStatus({ last_signed_in_at }: UserState): 'active' | 'invited' {
  return last_signed_in_at === null ? 'invited' : 'active';
}

export function isInviteExpired({ invite_expires_at }: UserState, nowMs: number): boolean {
  return Date.parse(invite_expires_at) <= nowMs;
}

/** Whether the user can administer the team now. */
export function isActiveAdmin({ role, status }: Pick<UserState, 'role' | 'status'>): boolean {
  return role === 'admin' && status === 'active';
}
