import { X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { LRUCache } from 'lru-cache';
import type { Egress, EgressResult } from '../platform/egress/client.ts';
import { fail } from '../platform/http/errors.ts';
import { at, isRecord, parseInner } from './read-json.ts';
import type { VerificationTools } from './receiver.ts';
import { readCertificates } from './signatures/certificate-chain.ts';

const keySetUrl = 'https://www.googleapis.com/oauth2/v3/certs';
const timeoutMs = 5_000;
const maxCertificates = 200;
const certificateAgeMs = 24 * 3_600_000;
const keySetAgeMs = 3_600_000;
/** A token with a key that nobody has is not to make us ask each time. */
const keySetPauseMs = 60_000;

interface Fetched<Value extends string | Buffer> {
  value: Value;
  certificate: X509Certificate;
}

function createCache<Value extends string | Buffer>(now: () => number) {
  const options = { max: maxCertificates, ttl: certificateAgeMs, ttlResolution: 0, perf: { now } };
  return new LRUCache<string, Promise<Fetched<Value>>>(options);
}

/**
 * Fetches and caches data for verification: certificates for a day, but not past their end, and
 * keys for an hour. Redirects are not followed, and responses over 16 KB are rejected. A failed
 * fetch is `unavailable` (503), so that the provider retries. `egress` must allow http, since
 * issuers publish certificates over http; the schemes reject all other http addresses.
 */
export function createVerificationTools(
  egress: Pick<Egress, 'get'>,
  trustedRoots: readonly string[] = rootCertificates,
  nowMs: () => number = Date.now,
): VerificationTools {
  const certificates = createCache<string>(nowMs);
  const issuers = createCache<Buffer>(nowMs);
  let keySet: { value: Promise<{ keys: object[] }>; fetchedAtMs: number } | undefined;

  /** Callers at the same time share one request; a failure is not remembered. */
  async function cached<Value extends string | Buffer>(
    cache: LRUCache<string, Promise<Fetched<Value>>>,
    url: string,
    fetch: () => Promise<Fetched<Value>>,
  ): Promise<Value> {
    const known = cache.get(url);
    if (known !== undefined) return (await known).value;
    const fetched = fetch();
    cache.set(url, fetched);
    try {
      const { value, certificate } = await fetched;
      const leftMs = Date.parse(certificate.validTo) - nowMs();
      cache.set(url, fetched, { ttl: Math.min(Math.max(leftMs, 1), certificateAgeMs) });
      return value;
    } catch (error) {
      if (cache.peek(url) === fetched) cache.delete(url);
      throw error;
    }
  }

  async function get(url: string): Promise<EgressResult & { kind: 'answered' }> {
    const result = await egress.get({
      url,
      owner: 'inbound_proofs',
      headers: {},
      timeoutMs,
      wantsBytes: true,
    });
    if (result.kind === 'answered' && result.status === 200 && !result.truncated) return result;
    throw unavailable();
  }

  async function fetchKeys(): Promise<{ keys: object[] }> {
    const keys = at(parseInner((await get(keySetUrl)).bodyExcerpt), 'keys');
    if (!Array.isArray(keys)) throw unavailable();
    return { keys: keys.filter(isRecord) };
  }

  return {
    trustedRoots,
    fetchCertificate: (url) =>
      cached(certificates, url, async () => {
        const { bodyExcerpt: value } = await get(url);
        const certificate = readCertificates(value)?.[0];
        if (certificate === undefined) throw unavailable();
        return { value, certificate };
      }),
    fetchIssuer: (url) =>
      cached(issuers, url, async () => {
        const { bytes: value = Buffer.alloc(0) } = await get(url);
        try {
          return { value, certificate: new X509Certificate(value) };
        } catch {
          throw unavailable();
        }
      }),
    async fetchKeySet({ fresh } = { fresh: false }) {
      const ageMs = keySet === undefined ? Infinity : nowMs() - keySet.fetchedAtMs;
      if (keySet !== undefined && ageMs < (fresh ? keySetPauseMs : keySetAgeMs)) {
        return keySet.value;
      }
      const fetched = { value: fetchKeys(), fetchedAtMs: nowMs() };
      const before = keySet;
      keySet = fetched;
      return fetched.value.catch((error: unknown) => {
        // Keys that were good an hour ago outlive an outage of their publisher.
        if (keySet === fetched) keySet = before && { ...fetched, value: before.value };
        if (before !== undefined) return before.value;
        throw error;
      });
    },
  };
}

function unavailable(): Error {
  return fail('unavailable', {
    detail: 'The verification keys are unavailable at the moment; send the request again.',
  });
}
