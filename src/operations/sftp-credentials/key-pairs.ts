import { createHash, createPublicKey } from 'node:crypto';
import ssh2 from 'ssh2';
import { keyTypes } from './sftp-credential.ts';

const minRsaBits = 3_072;
/** Bits of an RSA key; a longer one costs seconds of computation at each login. */
const maxRsaBits = 8_192;

export interface PublicKey {
  /** `<type> <base64>`, without a comment. */
  public_key: string;
  key_type: (typeof keyTypes)[number];
  /** As `ssh-keygen -l` shows it. */
  fingerprint_sha256: string;
}

/** Reads a public key in the one-line form of OpenSSH, or returns the problem with it. */
export function readPublicKey(line: string): PublicKey | { rule: string; problem: string } {
  const malformed = { rule: 'format', problem: 'is not a public key in the form of OpenSSH' };
  const [, name, base64 = ''] =
    /^(\S+) ([A-Za-z0-9+/]+={0,2})(?: [^\r\n]*)?$/.exec(line.trim()) ?? [];
  if (name === undefined) return malformed;
  const key_type = keyTypes.find((known) => known === name);
  if (key_type === undefined) {
    return { rule: 'enum', problem: `must be of one of the types ${keyTypes.join(', ')}` };
  }
  const blob = Buffer.from(base64, 'base64');
  const bits = bitsOf(key_type, `${name} ${base64}`, blob);
  if (bits === undefined) return malformed;
  if (key_type === 'ssh-rsa' && bits < minRsaBits) {
    return { rule: 'min', problem: `must have at least ${String(minRsaBits)} bits` };
  }
  if (key_type === 'ssh-rsa' && bits > maxRsaBits) {
    return { rule: 'max', problem: `must have at most ${String(maxRsaBits)} bits` };
  }
  const digest = createHash('sha256').update(blob).digest('base64').replace(/=+$/, '');
  const public_key = `${name} ${blob.toString('base64')}`;
  return { public_key, key_type, fingerprint_sha256: `SHA256:${digest}` };
}

/** Bits of an RSA key, 0 for other sound ones; undefined for what is no key. */
function bitsOf(type: string, line: string, blob: Buffer): number | undefined {
  try {
    const parsed = ssh2.utils.parseKey(line);
    if (parsed instanceof Error || parsed.type !== type || parsed.isPrivateKey()) return undefined;
    if (!parsed.getPublicSSH().equals(blob)) return undefined;
    // Throws for a point that is not on its curve.
    return createPublicKey(parsed.getPublicPEM()).asymmetricKeyDetails?.modulusLength ?? 0;
  } catch {
    return undefined;
  }
}

/** Returns the public half of a private key without passphrase, or the problem with it. */
export function readPrivateKey(text: string): PublicKey | { rule: string; problem: string } {
  const malformed = {
    rule: 'format',
    problem: 'is not a private key without passphrase in the form of OpenSSH or PEM',
  };
  try {
    const parsed = ssh2.utils.parseKey(text);
    if (parsed instanceof Error || !parsed.isPrivateKey()) return malformed;
    return readPublicKey(`${parsed.type} ${parsed.getPublicSSH().toString('base64')}`);
  } catch {
    return malformed;
  }
}

/** A fresh Ed25519 pair; the private key in the form of OpenSSH. */
export function newKeyPair(): { key: PublicKey; privateKey: string } {
  for (;;) {
    const pair = ssh2.utils.generateKeyPairSync('ed25519');
    const key = readPublicKey(pair.public);
    // A few keys in a thousand of ssh2 are unreadable, even for ssh2: those are skipped.
    if (!('problem' in key) && opens(pair.private, key)) return { key, privateKey: pair.private };
  }
}

function opens(privateKey: string, { public_key }: PublicKey): boolean {
  const parsed = ssh2.utils.parseKey(privateKey);
  if (parsed instanceof Error) return false;
  return `${parsed.type} ${parsed.getPublicSSH().toString('base64')}` === public_key;
}
