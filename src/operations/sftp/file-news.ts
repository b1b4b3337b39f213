/** What a callback says of a file that came to a server. */
export interface FileNews {
  serverId: string;
  username: string;
  path: string;
  /** When the upload to the server ended, RFC 3339: it distinguishes versions of a file. */
  completedAt: string;
  sizeBytes?: number | undefined;
  /** In hexadecimal. */
  sha256?: string | undefined;
}
