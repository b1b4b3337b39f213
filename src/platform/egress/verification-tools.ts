/** External access that the verification of callbacks needs; src/inbound uses it, and tests pass their own. */
export interface VerificationTools {
  /** The PEM text at an https address, or a thrown error; which addresses, the scheme decides. */
  fetchCertificate(url: string): Promise<string>;
  /** The DER of an issuing certificate that a signing certificate points to. */
  fetchIssuer?(url: string): Promise<Buffer>;
  /** PEM texts of the roots that signing certificates must lead to. */
  trustedRoots: readonly string[];
  /**
   * The JSON Web Key Set of the message bus's issuer; `fresh` after a key that it does not have.
   */
  fetchKeySet(want?: { fresh: boolean }): Promise<{ keys: object[] }>;
}
