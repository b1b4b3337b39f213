import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { Compile } from 'typebox/compile';

const KeyList = Type.Array(
  Type.Object({ id: Type.String({ pattern: '^[a-z0-9-]{1,32}$' }), key: Type.String() }),
  { minItems: 1 },
);

/**
 * The service's own secrets: envelope keys (seal what must be read again), peppers (client
 * secrets), cursor keys. The first of each list is used, all of them are accepted.
 */
export const KeyFile = Type.Object({ envelope: KeyList, pepper: KeyList, cursor: KeyList });
export type KeyFile = Static<typeof KeyFile>;

const compiled = Compile(KeyFile);

interface Key {
  id: string;
  key: Buffer;
}

export interface Keyring {
  cursorKeys: readonly Key[];
  /** Encrypts with AES-256-GCM; `place` (table, column, team, row) must be the same to open it. */
  seal(plain: string, place: readonly string[]): string;
  /** Throws when the text was changed, moved to another row, or its key is gone. */
  open(sealed: string, place: readonly string[]): string;
  /** Id of the envelope key that sealed a text. */
  sealedWith(sealed: string): string;
  envelopeKeyId: string;
  /** The current one first. */
  pepperIds: readonly string[];
  /** HMAC-SHA-256 of a secret under a pepper: the current one unless named. */
  digest(secret: string, pepperId?: string): { pepperId: string; digest: Buffer };
}

export function newKeyFile(): KeyFile {
  const fresh = () => [{ id: freshKeyId(), key: randomBytes(32).toString('base64') }];
  return { envelope: fresh(), pepper: fresh(), cursor: fresh() };
}

/** Puts a fresh key in front of one of the lists; the older ones stay readable. */
export function rotateKeyFile(file: KeyFile, list: keyof KeyFile): KeyFile {
  const fresh = { id: freshKeyId(), key: randomBytes(32).toString('base64') };
  return { ...file, [list]: [fresh, ...file[list]] };
}

function freshKeyId(): string {
  return `k${randomBytes(6).toString('hex')}`;
}

export function parseKeyFile(text: string): KeyFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error('the keys are not JSON; make them with `npm run admin -- keys init`');
  }
  if (!compiled.Check(value)) {
    throw new Error('the keys need "envelope", "pepper" and "cursor", each [{"id", "key"}]');
  }
  return value;
}

export function openKeyring(file: KeyFile): Keyring {
  const envelope = file.envelope.map(decode);
  const pepper = file.pepper.map(decode);
  const [current] = envelope;
  const [currentPepper] = pepper;
  if (!current || !currentPepper) throw new Error('the keys are empty');

  return {
    cursorKeys: file.cursor.map(decode),
    envelopeKeyId: current.id,
    pepperIds: pepper.map(({ id }) => id),
    seal(plain, place) {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', current.key, iv);
      cipher.setAAD(Buffer.from(place.join('\n')));
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return `${current.id}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64')}`;
    },
    open(sealed, place) {
      const [id, text = ''] = sealed.split('.');
      const key = envelope.find((candidate) => candidate.id === id);
      if (!key) throw new Error('a sealed value names an envelope key that is not configured');
      const bytes = Buffer.from(text, 'base64');
      const decipher = createDecipheriv('aes-256-gcm', key.key, bytes.subarray(0, 12), {
        authTagLength: 16,
      });
      decipher.setAAD(Buffer.from(place.join('\n')));
      decipher.setAuthTag(bytes.subarray(12, 28));
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString();
    },
    sealedWith: (sealed) => sealed.slice(0, sealed.indexOf('.')),
    digest(secret, pepperId = currentPepper.id) {
      const key = pepper.find((candidate) => candidate.id === pepperId);
      if (!key) throw new Error('a secret names a pepper that is not configured');
      return { pepperId, digest: createHmac('sha256', key.key).update(secret).digest() };
    },
  };
}

function decode({ id, key }: { id: string; key: string }): Key {
  const bytes = Buffer.from(key, 'base64');
  if (bytes.length !== 32) throw new Error(`the key ${id} must be 32 bytes in base64`);
  return { id, key: bytes };
}
