import type { Keyring } from './keyring.ts';
import { unpackId } from './signed-name.ts';

/** The id under which something is counted; it does not show the address or number in `subject`. */
export function budgetId(keyring: Keyring, subject: string): string {
  return unpackId(keyring.digest('budget', subject).digest, 0);
}
