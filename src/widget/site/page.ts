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
  /** What stands behind the path. */
  search: URLSearchParams;
  /** Address of the visitor, behind the trusted proxies. */
  address: string;
  /** The body of a form. Throws 415 and 413. */
  readForm(): Promise<Buffer>;
}

/** What partners write is sanitised HTML with styles of its own and images from anywhere. */
export const partnerContent = {
  'style-src': "'unsafe-inline'",
  'img-src': 'https: http: data:',
} as const;
