import type { Entry } from './operations.ts';
import { areas, pageOfTag } from './areas.ts';
import { code } from './text.ts';

/** The page that lists all operations. A link to it with the id of an operation leads to that one. */
export function referenceIndex(entries: readonly Entry[], base: string, ending: string): string {
  const sections = Object.entries(areas).map(([area, tags]) => {
    const lists = Object.entries(tags).map(([tag, title]) => {
      const rows = entries
        .filter((entry) => entry.tag === tag)
        .map(
          ({ title: name, address, operation: { method, path } }) =>
            `- [${name}](${address}) ${code(`${method} ${path}`)}`,
        );
      return `### [${title}](${pageOfTag(tag)})\n\n<div class="contents">\n\n${rows.join('\n')}\n\n</div>`;
    });
    return [`## ${area}`, ...lists].join('\n\n');
  });
  return `${frontmatter(redirect(entries, base, ending))}

# API reference

Every operation with its parameters, bodies, answers, errors, and samples for curl, TypeScript, Python and the command line. Rules that hold for all of them: [API conventions](/api-conventions). The whole as a document for programs: \`GET /v2/meta/openapi.json\` (OpenAPI 3.1).

${sections.join('\n\n')}
`;
}

const frontmatter = (script: string) =>
  `---\npageClass: reference\ntitle: API reference\noutline: 2\nhead:\n  - - script\n    - {}\n    - ${JSON.stringify(script)}\n---`;

/**
 * Addresses of earlier versions: `#createContact` and `#tag/contacts/createContact`. It runs before
 * the page is drawn.
 */
function redirect(entries: readonly Entry[], base: string, ending: string): string {
  const pages = new Map<string, string[]>();
  for (const { address, operation } of entries) {
    const page = address.slice(1, address.indexOf('#'));
    pages.set(page, [...(pages.get(page) ?? []), operation.id]);
  }
  const map = Object.fromEntries([...pages].map(([page, ids]) => [page, ids.join(' ')]));
  return `(function(m){var n=decodeURIComponent(location.hash).split(/[#/]/).pop().toLowerCase();if(n)for(var p in m)m[p].split(' ').forEach(function(i){if(i.toLowerCase()===n)location.replace(${JSON.stringify(base)}+p+${JSON.stringify(ending)}+'#'+i)})})(${JSON.stringify(map)})`;
}
