import { createHmac } from 'node:crypto';
import type { Callback, Verification } from '../receiver.ts';
import { invalid, checkAge, missing, unixSeconds } from './freshness.ts';
import { isSameText } from './same-text.ts';

/** Signature format of a custom sender: algorithm, signed content, header and encoding. */
export interface HmacForm {
  /** Lower case. */
  signatureHeader: string;
  algorithm: 'sha256' | 'sha512';
  encoding: 'hex' | 'base64';
  /** Before the signature, such as `sha256=`. */
  prefix: string;
  content: 'body' | 'timestamp.body' | 'id.timestamp.body';
  timestampHeader: string | undefined;
  idHeader: string | undefined;
}

const maxSignatures = 16;

/** One header `t=…,v1=…,v1=…` with the timestamp and the signatures of the active secrets. */
function readPairs(text: string): { timestamp: string | undefined; signatures: string[] } {
  const pairs = text.split(',', maxSignatures).map((pair) => pair.trim());
  const values = (name: string) =>
    pairs.filter((pair) => pair.startsWith(name)).map((pair) => pair.slice(name.length));
  const [timestamp, second] = values('t=');
  return { timestamp: second === undefined ? timestamp : undefined, signatures: values('v1=') };
}

/** The HMAC of the form; the key is the text of the secret. */
export function plainHmac(
  form: Pick<HmacForm, 'algorithm' | 'encoding' | 'content'>,
  secret: string,
  signed: { id?: string | undefined; timestamp?: string | undefined; bytes: Buffer | string },
): string {
  const hmac = createHmac(form.algorithm, secret);
  if (form.content === 'id.timestamp.body') hmac.update(`${signed.id ?? ''}.`);
  if (form.content !== 'body') hmac.update(`${signed.timestamp ?? ''}.`);
  return hmac.update(signed.bytes).digest(form.encoding);
}

/** Without a `timestampHeader` a signed timestamp stands in the signature's header, as `t=`. */
export function verifyPlainHmac(
  { headers, bytes, receivedAtMs }: Callback,
  form: HmacForm,
  secrets: readonly string[],
  maxAgeSeconds?: number,
): Verification {
  const text = headers[form.signatureHeader];
  if (text === undefined) return missing;
  const hasPairs = form.content !== 'body' && form.timestampHeader === undefined;
  const pairs = hasPairs ? readPairs(text) : undefined;
  const timestamp = pairs ? pairs.timestamp : headers[form.timestampHeader ?? ''];
  const id = headers[form.idHeader ?? ''];
  const seconds = unixSeconds(timestamp ?? '');
  if (form.content !== 'body' && seconds === undefined) {
    return invalid('The timestamp of the signature must be in Unix seconds.');
  }
  if (form.content === 'id.timestamp.body' && (!id || id.includes('.'))) {
    return invalid('The id of the signature is missing, empty or has a dot.');
  }
  const live = secrets.filter((secret) => secret !== '');
  if (live.length === 0) return invalid('The receiver has no secret for this signature.');
  const expected = live.map(
    (secret) => form.prefix + plainHmac(form, secret, { id, timestamp, bytes }),
  );
  const isGood = (pairs?.signatures ?? [text]).some((signature) =>
    expected.some((one) => isSameText(signature, one)),
  );
  if (!isGood) return invalid('The signature does not match the bytes of the body.');
  if (form.content === 'body' || seconds === undefined) return { status: 'valid' };
  return checkAge(seconds, receivedAtMs, maxAgeSeconds);
}
