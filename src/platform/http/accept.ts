import type { Context } from 'koa';

/**
 * Whether the Accept header of a request allows one of the media types. Only types and their quality
 * count: clients name parameters such as a charset or a version, which our types do not have, and
 * would match nothing (RFC 9110 §12.5.1).
 */
export function accepts(context: Context, mediaTypes: readonly string[]): boolean {
  const { headers } = context.req;
  const { accept = '*/*' } = headers;
  // The usual ones, which allow every response of the API.
  if (accept === '*/*' || accept === 'application/json') return true;
  if (accept.includes(';')) headers.accept = accept.split(',').map(withQuality).join(',');
  return context.accepts(...mediaTypes) !== false;
}

/** A media range without its other parameters. */
function withQuality(range: string): string {
  const [type = '', ...parameters] = range.split(';');
  const quality = parameters.find((parameter) => /^\s*q\s*=/i.test(parameter));
  return quality === undefined ? type : `${type};${quality}`;
}
