import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { Compile } from 'typebox/compile';

const KeyList = Type.Array(
  Type.Object({ id: Type.String({ pattern: '^[a-z0-9-]{1,32}$' }), key: Type.String() }),
  { minItems: 1 },
);

/**
 * Secrets of the service. The first of each list is used; all of them are accepted. Each purpose
 * has its own list, so that a key can be retired for one purpose alone.
 */
export const KeyFile = Type.Object({
  /** Encrypts what must be read again. */
  envelope: KeyList,
  /** Signs page cursors. */
  cursor: KeyList,
  /** Digests of client secrets. */
  pepper: KeyList,
  /** Links of recipients to their journeys, and secrets of the sessions of widget tokens. */
  journey_link: KeyList,
  /** Links in messages that unsubscribe. */
  unsubscribe: KeyList,
  /** Links and pictures in messages that count opens and clicks. */
  tracking: KeyList,
  /** Links that confirm a consent or a test recipient. */
  confirmation: KeyList,
  /** Forms of landing pages. */
  form: KeyList,
  /** Ids of rate budgets, which must not show addresses. */
  budget: KeyList,
  /** Seals of the audit chain. */
  audit_seal: KeyList,
  /** Digests of addresses that outlive what they are a digest of. */
  identity: KeyList,
  /** Encrypts what Temporal stores, where that is switched on. */
  temporal_codec: KeyList,
});
export type KeyFile = Static<typeof KeyFile>;
export type KeyListName = keyof KeyFile;

export const keyListNames = Object.keys(KeyFile.properties).filter(isListName);

/** Purposes of keyed digests: all lists but those of encryption and of cursors. */
export type DigestPurpose = Exclude<KeyListName, 'envelope' | 'cursor' | 'temporal_codec'>;

const compiled = Compile(KeyFile);
const compiledPart = Compile(Type.Partial(KeyFile));

function isListName(name: string): name is KeyListName {
  return name in KeyFile.properties;
}

interface Key {
  id: string;
  key: Buffer;
}

export interface Keyring {
  cursorKeys: readonly Key[];
  /**
   * Encrypts with AES-256-GCM. `context` (table, column, team, row) is the associated data: it must
   * be the same to open it.
   */
  seal(plain: string, context: readonly string[]): string;
  /** Throws when the text was changed or moved to another row, or when its key no longer exists. */
  open(sealed: string, context: readonly string[]): string;
  /** Id of the envelope key that sealed a text. */
  sealedWith(sealed: string): string;
  envelopeKeyId: string;
  /** Encrypts a payload of Temporal with AES-256-GCM under the current key of `temporal_codec`. */
  sealPayload(plain: Buffer): { keyId: string; sealed: Buffer };
  /** Throws when the bytes were changed, or when the key no longer exists. */
  openPayload(keyId: string, sealed: Buffer): Buffer;
  /** Ids of the keys of a purpose, the current one first. */
  keyIds(purpose: DigestPurpose): readonly string[];
  /**
   * HMAC-SHA-256 of a text under a key of one purpose: the current one unless named. HKDF binds the
   * key to its purpose, so that a digest of one is worth nothing in another.
   */
  digest(purpose: DigestPurpose, text: string, keyId?: string): { keyId: string; digest: Buffer };
}

export function newKeyFile(): KeyFile {
  return {
    envelope: [freshKey()],
    cursor: [freshKey()],
    pepper: [freshKey()],
    journey_link: [freshKey()],
    unsubscribe: [freshKey()],
    tracking: [freshKey()],
    confirmation: [freshKey()],
    form: [freshKey()],
    budget: [freshKey()],
    audit_seal: [freshKey()],
    identity: [freshKey()],
    temporal_codec: [freshKey()],
  };
}

/** Puts a fresh key in front of one of the lists; the older ones stay accepted. */
export function rotateKeyFile(file: KeyFile, list: KeyListName): KeyFile {
  return { ...file, [list]: [freshKey(), ...file[list]] };
}

function freshKey() {
  return {
    id: `k${randomBytes(6).toString('hex')}`,
    key: randomBytes(32).toString('base64'),
  };
}

export function parseKeyFile(text: string): KeyFile {
  const value = parsePart(text);
  if (compiled.Check(value)) return value;
  const missing = missingLists(text).join(', ');
  throw new Error(`the keys lack ${missing}; add them with \`npm run admin -- keys complete\``);
}

/** Lists that the keys of an earlier version lack. */
export function missingLists(text: string): KeyListName[] {
  const value = parsePart(text);
  return keyListNames.filter((name) => value[name] === undefined);
}

/** The keys of a text with a fresh key for each list that it lacks. */
export function completeKeyFile(text: string): KeyFile {
  return { ...newKeyFile(), ...parsePart(text) };
}

function parsePart(text: string): Partial<KeyFile> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error('the keys are not JSON; make them with `npm run admin -- keys init`');
  }
  if (compiledPart.Check(value)) return value;
  throw new Error('the keys must be lists, each [{"id", "key"}] with at least one key');
}

export function openKeyring(file: KeyFile): Keyring {
  const envelope = file.envelope.map(decode);
  const [current] = envelope;
  if (!current) throw new Error('the keys are empty');
  const derived = new Map(
    keyListNames.map((name) => [name, file[name].map((key) => derive(name, decode(key)))]),
  );
  const keysOf = (purpose: KeyListName) => derived.get(purpose) ?? [];

  return {
    cursorKeys: file.cursor.map(decode),
    envelopeKeyId: current.id,
    keyIds: (purpose) => keysOf(purpose).map(({ id }) => id),
    seal: (plain, context) =>
      `${current.id}.${encrypt(current.key, Buffer.from(plain), context.join('\n')).toString('base64')}`,
    open(sealed, context) {
      const [id, text = ''] = sealed.split('.');
      const key = envelope.find((candidate) => candidate.id === id);
      if (!key) throw new Error('a sealed value names an envelope key that is not configured');
      return decrypt(key.key, Buffer.from(text, 'base64'), context.join('\n')).toString();
    },
    sealPayload(plain) {
      const [key] = keysOf('temporal_codec');
      if (!key) throw new Error('the keys of temporal_codec are empty');
      return { keyId: key.id, sealed: encrypt(key.key, plain, key.id) };
    },
    openPayload(keyId, sealed) {
      const key = keysOf('temporal_codec').find(({ id }) => id === keyId);
      if (!key) throw new Error('a payload names a key of temporal_codec that is not configured');
      return decrypt(key.key, sealed, keyId);
    },
    sealedWith: (sealed) => sealed.slice(0, sealed.indexOf('.')),
    digest(purpose, text, keyId) {
      const key = keysOf(purpose).find(({ id }) => keyId === undefined || id === keyId);
      if (!key) throw new Error(`a digest names a key of ${purpose} that is not configured`);
      return { keyId: key.id, digest: createHmac('sha256', key.key).update(text).digest() };
    },
  };
}

/** AES-256-GCM: the nonce, the tag, the text. The context must be the same to decrypt it. */
function encrypt(key: Buffer, plain: Buffer, context: string): Buffer {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  cipher.setAAD(Buffer.from(context));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]);
}

function decrypt(key: Buffer, bytes: Buffer, context: string): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), {
    authTagLength: 16,
  });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]);
}

function derive(purpose: KeyListName, { id, key }: Key): Key {
  return { id, key: Buffer.from(hkdfSync('sha256', key, '', `onward ${purpose}`, 32)) };
}

function decode({ id, key }: { id: string; key: string }): Key {
  const bytes = Buffer.from(key, 'base64');
  if (bytes.length !== 32) throw new Error(`the key ${id} must be 32 bytes in base64`);
  return { id, key: bytes };
}
