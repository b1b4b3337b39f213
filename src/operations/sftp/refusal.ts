/** Status codes of the protocol in responses (SFTP version 3, §7). */
export const codes = {
  ok: 0,
  eof: 1,
  noSuchFile: 2,
  denied: 3,
  failure: 4,
  unsupported: 8,
} as const;

export type Code = (typeof codes)[keyof typeof codes];

/** A refusal meant for the client; any other error is reported as a failure of the service. */
export class Refusal extends Error {
  readonly code: Code;

  constructor(code: Code, message: string) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
  }
}
