declare module 'mailauth/lib/dkim/verify.js' {
  /** Verifies the DKIM signatures of a message (RFC 6376). */
  export function dkimVerify(
    message: string,
    options: { resolver: (name: string, type: string) => Promise<string[][]> },
  ): Promise<{
    results: { signingDomain: string; status: { result: string; aligned: string | false } }[];
  }>;
}
