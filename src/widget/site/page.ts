import type { IncomingHttpHeaders } from 'node:http';

/** A page for recipients and visitors, or a part of one. */
export interface SitePage {
  status?: number;
  type: 'text/html' | 'text/javascript' | 'application/json';
  headers: Readonly<Record<string, string>>;
  body: string;
}

export interface Visit {
  method: string;
  headers: IncomingHttpHeaders;
  /** The query string. */
  search: URLSearchParams;
  /** Address of the visitor, behind the trusted proxies. */
  address: string;
  /** The body of a form. Throws 415 and 413. */
  readForm(): Promise<Buffer>;
}

/** Content of partners is sanitized HTML with its own styles and with images from any host. */
export const partnerContent = {
  'style-src': "'unsafe-inline'",
  'img-src': 'https: http: data:',
} as const;
