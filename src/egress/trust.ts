import { rootCertificates } from 'node:tls';
import { LRUCache } from 'lru-cache';
import type { Egress } from './client.ts';

/** What proofs of origin need from outside; tests hand in their own. */
export interface ProofTools {
  /** The PEM text at an https address, or a thrown error; which addresses, the caller decides. */
  fetchCertificate(url: string): Promise<string>;
  /** PEM texts of the roots that signing certificates must lead to. */
  trustedRoots: readonly string[];
  /** The JSON Web Key Set of the message bus's issuer. */
  fetchKeySet(): Promise<{ keys: object[] }>;
}

/** What would decide over a proof cannot be had now: nobody's fault, so nothing is refused. */
export class ProofToolsAway extends Error {
  constructor(what: string) {
    super(`${what} cannot be fetched`);
    this.name = 'ProofToolsAway';
  }
}

/** Keys of the identity provider that signs what the message bus pushes. */
const keySetUrl = 'https://www.googleapis.com/oauth2/v3/certs';
const certificateAgeMs = 24 * 3_600_000;
const keySetAgeMs = 300_000;
const timeoutMs = 5_000;

/** Fetches through the one client that may call out, and remembers what it got. */
export function createProofTools(egress: Egress): ProofTools {
  const known = new LRUCache<string, Promise<string>>({ max: 200 });

  async function download(what: string, url: string): Promise<string> {
    const result = await egress.get({ url, headers: {}, timeoutMs });
    if (result.kind === 'failed') throw new ProofToolsAway(what);
    if (result.status >= 500 || result.status === 429) throw new ProofToolsAway(what);
    if (result.status !== 200) throw new Error(`${what} is not there`);
    if (result.truncated) throw new Error(`${what} is larger than 16 KB`);
    return result.bodyExcerpt;
  }

  function remember(what: string, url: string, ttl: number): Promise<string> {
    const cached = known.get(url);
    if (cached) return cached;
    const pending = download(what, url);
    known.set(url, pending, { ttl });
    pending.catch(() => known.delete(url));
    return pending;
  }

  return {
    trustedRoots: rootCertificates,
    fetchCertificate: (url) => remember('the signing certificate', url, certificateAgeMs),
    async fetchKeySet() {
      const text = await remember('the key set', keySetUrl, keySetAgeMs);
      const set: unknown = JSON.parse(text);
      if (!isKeySet(set)) throw new ProofToolsAway('the key set');
      return set;
    },
  };
}

function isKeySet(value: unknown): value is { keys: object[] } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'keys' in value &&
    Array.isArray(value.keys) &&
    value.keys.every((key) => typeof key === 'object' && key !== null)
  );
}
