import { randomInt } from 'node:crypto';

const digits = 6;

/** Six digits, each as likely as any other. */
export function newCode(): string {
  return String(randomInt(10 ** digits)).padStart(digits, '0');
}

/** Where the code of a challenge is sealed to. */
export function codePlace(teamId: string, id: string): string[] {
  return ['identity_challenges', 'code', teamId, id];
}
