import { design } from './design.ts';
import { escapeHtml } from './html.ts';

/** A page for people, and its status. */
export interface PlainPage {
  status: number;
  html: string;
  /** Origins of pages that may show it in a frame; none by default. */
  frameAncestors?: readonly string[];
}

const style = `${design}
main{padding-top:clamp(1rem,8vh,4rem)}`;

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
