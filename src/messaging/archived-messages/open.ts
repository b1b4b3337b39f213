import type { Keyring } from '../../platform/auth/keyring.ts';
import type { ArchivedContent } from './archived-message.ts';
import type { StoredMessage } from './queries.ts';
import { addressesSealContext, contentSealContext } from './seal.ts';

/** The content and the addresses of an archived message, as far as they are stored. */
export function openMessage(
  keyring: Keyring,
  { team_id, id, sealed_addresses, content_id, sealed_content }: StoredMessage,
): { addresses?: string[]; content?: ArchivedContent } {
  const read = (sealed: string, place: readonly string[]): unknown =>
    JSON.parse(keyring.open(sealed, place));
  const addresses =
    sealed_addresses === null
      ? undefined
      : read(sealed_addresses, addressesSealContext(team_id, id));
  const content =
    sealed_content === null || content_id === null
      ? undefined
      : read(sealed_content, contentSealContext(team_id, content_id));
  return {
    ...(isAddresses(addresses) && { addresses }),
    ...(isContent(content) && { content }),
  };
}

const isAddresses = (value: unknown): value is string[] => Array.isArray(value);
const isContent = (value: unknown): value is ArchivedContent =>
  typeof value === 'object' && value !== null;
