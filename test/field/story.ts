import type { Authority } from '../support/authority.ts';

/** The service that stories are told to, with a client that may do everything. */
export interface FieldService {
  apiUrl: string;
  /** On this machine. */
  sftpPort: number;
  token: string;
  clientId: string;
  clientSecret: string;
  /** The service trusts what it certifies. */
  authority: Authority;
  /** For programs and their files; it stays between runs. */
  directory: string;
}

/** One use of the service by a program of others, as its users know it. */
export interface Story {
  program: string;
  story: string;
  expects: string;
  /** Fetches the program; returns its version, or undefined where it cannot be had. */
  prepare?(directory: string): Promise<string | undefined> | string | undefined;
  /** Throws what is wrong. */
  run(service: FieldService): Promise<void> | void;
}
