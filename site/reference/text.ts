/** Words of descriptions that are names of the interface: `merged_into_id`, `page[size]`. */
const names =
  /(?<![\w`/.:@-])(?:[a-z]+(?:\[\])?(?:[._:][a-z0-9*]+)+|[a-z]+\[[a-z_]+\](?:\[[a-z_]+\])?|meta=count)(?![\w`/@-])/g;
const marks = /[\\*<>[\]_~|]/g;

/** Markdown of a description: names become code, other marks stay as they are. */
export function prose(text: string, link: (name: string) => string | undefined = () => undefined) {
  return text
    .split(/(`[^`]*`)/)
    .map((part) => {
      if (part.startsWith('`')) return code(part.slice(1, -1));
      let at = 0;
      let written = '';
      for (const match of part.matchAll(names)) {
        const target = link(match[0]);
        written += escape(part.slice(at, match.index));
        written += target === undefined ? code(match[0]) : `[${code(match[0])}](${target})`;
        at = match.index + match[0].length;
      }
      return written + escape(part.slice(at));
    })
    .join('');
}

const escape = (text: string) => text.replaceAll(marks, String.raw`\$&`).replaceAll('\n', ' ');

/** Code in a line or in a cell. */
export const code = (text: string) => `\`${text.replaceAll('|', String.raw`\|`)}\``;

export const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** What a reader opens, with its text in Markdown. */
export const details = (title: string, text: string) =>
  `<details>\n<summary>${title}</summary>\n\n${text}\n\n</details>`;
