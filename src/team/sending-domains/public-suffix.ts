import { getPublicSuffix } from 'tldts';

/**
 * Whether anybody may register names under a domain, by the Public Suffix List: those of registries,
 * such as co.uk, and those of providers, such as github.io.
 */
export const isPublicSuffix = (domain: string): boolean =>
  getPublicSuffix(domain, { allowPrivateDomains: true }) === domain;
