/** Names of files and their meaning, as pure functions. ADR 42. */

export type Format = 'csv' | 'ndjson';

export type FileName =
  | { kind: 'final'; format: Format }
  /** Sent under a name of its own, and renamed when it is whole. */
  | { kind: 'temporary' }
  /** The SHA-256 of the file `of`. */
  | { kind: 'digest'; of: string }
  | { kind: 'refused'; reason: string };

/** lftp, NiFi and rsync put a dot in front; integration products a word of their own. */
const temporaryPrefix = /^(?:[.~]|tmp[_-])/i;
/** WinSCP, Spring Integration, Camel and browsers, also in place of `.csv`. */
const temporaryEnding =
  /\.(?:part|partial|filepart|tmp|temp|crdownload|download|upload|uploading|writing|in_?progress|incomplete)$/i;
/** rclone and Cyberduck add some letters of their own; `.csv~` is one of editors. */
const unknownEnding = /\.(?:csv|ndjson)[._~-][^/]*$/i;
/** A file that is whole, but of another kind. */
const otherKind =
  /\.(?:gz|tgz|zip|bz2|xz|zst|lz4|7z|rar|tar|z|pgp|gpg|asc|sig|enc|p7m|aes|md5|sha1|sha512|sfv|crc|done|ok|ready|trg|ctl|xlsx?|xlsm|ods|txt|json|jsonl|xml|pdf|exe)$/i;
const digestEnding = '.sha256';

/** The kind of a file by its name. */
export function readFileName(name: string): FileName {
  // oxlint-disable-next-line no-control-regex -- such names are for breaking listings
  if (/[\u0000-\u001f\u007f]/.test(name) || name.length > 200) {
    return {
      kind: 'refused',
      reason: 'A name has at most 200 characters and no control characters.',
    };
  }
  if (temporaryPrefix.test(name) || temporaryEnding.test(name)) return { kind: 'temporary' };
  const format = formatOfName(name);
  if (format) return { kind: 'final', format };
  if (name.toLowerCase().endsWith(digestEnding)) {
    const of = name.slice(0, -digestEnding.length);
    if (formatOfName(of)) return { kind: 'digest', of };
  }
  if (unknownEnding.test(name) && !otherKind.test(name)) return { kind: 'temporary' };
  return { kind: 'refused', reason: 'Files are .csv or .ndjson.' };
}

/** The format by the last ending; undefined for other files. */
export function formatOfName(name: string): Format | undefined {
  switch (/\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase()) {
    case 'csv':
      return 'csv';
    case 'ndjson':
      return 'ndjson';
    default:
      return undefined;
  }
}

/** The path of the digest of a file. */
export const digestPathOf = (path: string): string => `${path}${digestEnding}`;

/**
 * The digest in the text of a digest file, in lower case: bare, or in a line of `sha256sum`, with or
 * without `--tag`. Undefined unless there is exactly one.
 */
export function readDigest(text: string): string | undefined {
  const found = text.match(/(?<![0-9a-z])[0-9a-f]{64}(?![0-9a-z])/gi) ?? [];
  const [digest, ...more] = found.map((one) => one.toLowerCase());
  return more.length === 0 ? digest : undefined;
}
