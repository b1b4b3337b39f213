import { randomUUID } from 'node:crypto';
import type { Keyring } from '../../platform/auth/keyring.ts';
import { packIds, readSignedName, signName, unpackId } from '../../platform/auth/signed-name.ts';

const kind = { prefix: 'dof', purpose: 'form' } as const;
const idBytes = 32;
const timeBytes = 6;

/** Time between opening a page and sending its form. */
const validForMs = 86_400_000;

/** One display of a form: proves that the page was sent to the visitor. */
export interface FormToken {
  pageId: string;
  /** Id of this display, so that a form that is sent twice counts once. */
  showingId: string;
  /** Key of the block. */
  formKey: string;
  isExpired: boolean;
}

export function newFormToken(
  keyring: Keyring,
  { pageId, formKey }: Pick<FormToken, 'pageId' | 'formKey'>,
  nowMs: number,
): string {
  const time = Buffer.alloc(timeBytes);
  time.writeUIntBE(nowMs, 0, timeBytes);
  const ids = packIds(pageId, randomUUID());
  return signName(keyring, kind, Buffer.concat([ids, time, Buffer.from(formKey)]));
}

/** Undefined for an invalid token. */
export function readFormToken(
  keyring: Keyring,
  text: string,
  nowMs: number,
): FormToken | undefined {
  const bytes = readSignedName(keyring, kind, text);
  if (!bytes) return undefined;
  return {
    pageId: unpackId(bytes, 0),
    showingId: unpackId(bytes, 1),
    formKey: bytes.subarray(idBytes + timeBytes).toString('utf8'),
    isExpired: bytes.readUIntBE(idBytes, timeBytes) + validForMs < nowMs,
  };
}
