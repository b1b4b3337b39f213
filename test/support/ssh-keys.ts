import { createPublicKey } from 'node:crypto';
import ssh2 from 'ssh2';

/**
 * A fresh key pair in the form of OpenSSH. ssh2 writes a few pairs in a thousand in a broken form,
 * itself included: those are left out, as the service does.
 */
export function sshKeyPair(
  type: 'ed25519' | 'ecdsa' | 'rsa' = 'ed25519',
  bits?: number,
): { public: string; private: string } {
  for (;;) {
    const pair =
      type === 'ed25519'
        ? ssh2.utils.generateKeyPairSync(type)
        : ssh2.utils.generateKeyPairSync(type, { bits: bits ?? 0 } as { bits: 256 });
    if (isReadable(pair.public) && isReadable(pair.private)) {
      return { public: pair.public.trim(), private: pair.private };
    }
  }
}

function isReadable(text: string): boolean {
  try {
    const key = ssh2.utils.parseKey(text);
    return !(key instanceof Error) && createPublicKey(key.getPublicPEM()).type === 'public';
  } catch {
    return false;
  }
}
