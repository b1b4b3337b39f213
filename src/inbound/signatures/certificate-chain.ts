import { X509Certificate } from 'node:crypto';
import type { VerificationTools } from '../receiver.ts';

const pemPattern = /-----BEGIN CERTIFICATE-----[\sA-Za-z0-9+/=]+-----END CERTIFICATE-----/g;
const maxCertificates = 5;
/**
 * Where certificate authorities of the signing host publish their issuing certificates: by plain
 * http, as everywhere, for what comes from there must be signed by a trusted root.
 */
const issuerUrlPattern = /^http:\/\/crt\.[a-z0-9]{1,16}\.amazontrust\.com\/[a-z0-9]{1,16}\.cer$/;

const parsedRoots = new WeakMap<readonly string[], X509Certificate[]>();

function rootsOf({ trustedRoots }: VerificationTools): X509Certificate[] {
  let roots = parsedRoots.get(trustedRoots);
  if (roots === undefined) {
    roots = trustedRoots.map((pem) => new X509Certificate(pem));
    parsedRoots.set(trustedRoots, roots);
  }
  return roots;
}

/** The certificates of a PEM text, the first one first; undefined when one cannot be read. */
export function readCertificates(pem: string): X509Certificate[] | undefined {
  try {
    const texts = pem.match(pemPattern) ?? [];
    return texts.slice(0, maxCertificates).map((text) => new X509Certificate(text));
  } catch {
    return undefined;
  }
}

function isCurrent(certificate: X509Certificate, atMs: number): boolean {
  return Date.parse(certificate.validFrom) <= atMs && atMs <= Date.parse(certificate.validTo);
}

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

/**
 * The file of a signing certificate seldom includes its issuer, but the certificate contains the
 * issuer's URL.
 */
async function fetchIssuerOf(
  certificate: X509Certificate,
  tools: VerificationTools,
): Promise<X509Certificate | undefined> {
  const urls = (certificate.infoAccess ?? '')
    .split('\n')
    .flatMap((line) => (line.startsWith('CA Issuers - URI:') ? [line.slice(17)] : []));
  const url = urls.find((text) => issuerUrlPattern.test(text));
  if (url === undefined || tools.fetchIssuer === undefined) return undefined;
  const der = await tools.fetchIssuer(url);
  try {
    return new X509Certificate(der);
  } catch {
    return undefined;
  }
}

/**
 * Whether the first certificate leads to a trusted root, each link signed by the next and all of
 * them valid at the time. Throws if an issuer that it needs cannot be fetched now.
 */
export async function leadsToRoot(
  [leaf, ...others]: readonly X509Certificate[],
  tools: VerificationTools,
  atMs: number,
): Promise<boolean> {
  const roots = rootsOf(tools);
  let link = leaf;
  for (let links = 0; link !== undefined && links < maxCertificates; links += 1) {
    const certificate: X509Certificate = link;
    if (!isCurrent(certificate, atMs)) return false;
    if (roots.some((root) => isCurrent(root, atMs) && isIssuedBy(certificate, root))) return true;
    const known = others.find((other) => other !== certificate && isIssuedBy(certificate, other));
    const issuer = known ?? (await fetchIssuerOf(certificate, tools));
    link = issuer !== undefined && isIssuedBy(certificate, issuer) ? issuer : undefined;
  }
  return false;
}
