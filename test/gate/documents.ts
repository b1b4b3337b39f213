import path from 'node:path';
import type { SourceFile } from './invariants.ts';

const linkPattern = /\]\((?!\w+:)([^)\s#]*)(?:#([^)\s]+))?\)/g;
const headingPattern = /^#+ (.+)$/gm;
const rowPattern = /^\| (\d+[a-z]?) +\|/gm;
const citationPattern = /\bADR (\d+[a-z]?(?:(?:, |–)\d+[a-z]?)*)/g;

/** Links of pages to files or headings that do not exist. */
export function findBrokenLinks(
  pages: readonly SourceFile[],
  exists: (file: string) => boolean,
): string[] {
  const anchors = new Map(pages.map((page) => [page.path, anchorsOf(page.text)]));
  return pages.flatMap(({ path: from, text }) =>
    [...withoutCode(text).matchAll(linkPattern)].flatMap(([, to = '', anchor]) => {
      const target = to === '' ? from : path.posix.join(path.posix.dirname(from), to);
      if (!exists(target)) return [`${from} links to ${target}, which does not exist`];
      const known = anchors.get(target);
      if (anchor === undefined || !known || known.has(anchor)) return [];
      return [`${from} links to #${anchor} of ${target}, which has no such heading`];
    }),
  );
}

/**
 * Paths of the repository in code spans that do not exist. Pages with steps that are run create
 * files, and decision records name the files of their time.
 */
export function findMissingPaths(
  pages: readonly SourceFile[],
  exists: (file: string) => boolean,
): string[] {
  const spans = /`((?:src|workflows|activities|test|sdk|examples|docs)\/[\w./-]+)`/g;
  return pages
    .filter(
      ({ path: file, text }) => !file.startsWith('docs/adr/') && !text.includes('<!-- run by:'),
    )
    .flatMap(({ path: file, text }) =>
      [...text.matchAll(spans)].flatMap(([, named = '']) =>
        exists(named) ? [] : [`${file} names ${named}, which does not exist`],
      ),
    );
}

/**
 * Addresses of this machine in pages that a service serves: it may have other ports, and its readers
 * may be elsewhere. Commands and their output, which are code, may name them.
 */
export function findFixedAddresses(pages: readonly SourceFile[]): string[] {
  const fixed =
    /\]\(https?:\/\/(?:127\.0\.0\.1|localhost)\b[^)]*\)|(?:127\.0\.0\.1|localhost):(?:3000|8233)\b/g;
  return pages
    .filter(({ path: file }) => file.startsWith('docs/'))
    .flatMap(({ path: file, text }) =>
      [
        ...withoutCode(text)
          .replaceAll(/`[^`\n]*`/g, '')
          .matchAll(fixed),
      ].map(
        ([found]) => `${file} has ${found}: name the page of the service, such as \`/mailbox\``,
      ),
    );
}

/** Numbers of decisions that files cite, and that have no row in the index of decisions. */
export function findUnknownDecisions(files: readonly SourceFile[], index: string): string[] {
  const known = new Set([...index.matchAll(rowPattern)].map(([, number]) => number));
  return files.flatMap(({ path: file, text }) =>
    [...text.matchAll(citationPattern)]
      .flatMap(([, numbers = '']) => numbers.split(/, |–/))
      .filter((number) => !known.has(number))
      .map((number) => `${file} cites ADR ${number}, which docs/adr/README.md does not have`),
  );
}

function anchorsOf(text: string): ReadonlySet<string> {
  return new Set(
    [...withoutCode(text).matchAll(headingPattern)].map(([, heading = '']) =>
      heading
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    ),
  );
}

/** Commands in code blocks have lines that look like headings. */
function withoutCode(text: string): string {
  return text.replaceAll(/^ *```[^]*?^ *```/gm, '');
}
