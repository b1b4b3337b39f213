import { randomInt } from 'node:crypto';

/** So many random digits, each code as likely as any other. */
export function newCode(digits: number): string {
  return String(randomInt(10 ** digits)).padStart(digits, '0');
}

/** Where the code of a challenge is sealed to. */
export function codePlace(teamId: string, id: string): string[] {
  return ['identity_challenges', 'code', teamId, id];
}
