/** Providers send less than fifty fields. */
const maxParts = 200;
const lineBreak = '\r\n';

/**
 * The text fields of a multipart/form-data body (RFC 7578), without its files. Undefined for a body
 * of another type, without an end, or with more parts than any provider sends.
 */
export function readMultipart(
  contentType: string | undefined,
  bytes: Buffer,
): URLSearchParams | undefined {
  if (!/^multipart\/form-data\s*;/i.test(contentType ?? '')) return undefined;
  const found = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType ?? '');
  const boundary = found?.[1] ?? found?.[2];
  if (boundary === undefined) return undefined;
  const mark = Buffer.from(`${lineBreak}--${boundary}`);
  // The first mark has no line before it.
  const body = Buffer.concat([Buffer.from(lineBreak), bytes]);
  const fields = new URLSearchParams();
  let start = body.indexOf(mark);
  for (let parts = 0; start >= 0 && parts < maxParts; parts += 1) {
    start += mark.length;
    if (body.subarray(start, start + 2).toString('latin1') === '--') return fields;
    const end = body.indexOf(mark, start);
    if (end < 0) return undefined;
    addField(fields, body.subarray(start, end));
    start = end;
  }
  return undefined;
}

function addField(fields: URLSearchParams, part: Buffer): void {
  const blank = part.indexOf(lineBreak + lineBreak);
  if (blank < 0) return;
  const headers = part.subarray(0, blank).toString('utf8');
  const disposition = /^content-disposition:(.*)$/im.exec(headers)?.[1] ?? '';
  const name = /;\s*name="([^"]*)"/i.exec(disposition)?.[1];
  if (name === undefined || /;\s*filename\*?=/i.test(disposition)) return;
  fields.append(name, part.subarray(blank + 4).toString('utf8'));
}
