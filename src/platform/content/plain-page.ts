import { escapeHtml } from './html.ts';

/** A page for people, and its status. */
export interface PlainPage {
  status: number;
  html: string;
  /** Origins of pages that may show it in a frame; none by default. */
  frameAncestors?: readonly string[];
}

const style = `body{font:18px/1.5 system-ui,sans-serif;margin:4rem auto;max-width:32rem;padding:0 1rem;color:#1c2430}
button{font:inherit;padding:.6rem 1.4rem;border:0;border-radius:6px;background:#0b57d0;color:#fff}
button:focus-visible{outline:3px solid #1c2430;outline-offset:2px}`;

/** A page with a heading, `body` (markup) and nothing to load. */
export function plainPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main><h1>${escapeHtml(title)}</h1>${body}</main>
</body>
</html>
`;
}

/** The page at a link that the service has not signed, or whose subject is gone. */
export const invalidLink: PlainPage = {
  status: 404,
  html: plainPage(
    'This link is not valid.',
    '<p>It may have been cut. Please open it once more from the message.</p>',
  ),
};
