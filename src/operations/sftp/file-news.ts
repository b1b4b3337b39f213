/** Content of a callback about a file that arrived at a server. */
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
