import { asvsLevels } from './asvs-levels.ts';

const statuses = ['met', 'not met', 'not applicable'] as const;
type Status = (typeof statuses)[number];
type Counts = Record<Status, number>;

const isStatus = (text: string | undefined): text is Status =>
  statuses.some((status) => status === text);

/** Names of files of the repository, between backticks, and of a line of them after "#". */
const filePattern =
  /`((?:src|test|docs|workflows|activities)\/[\w./-]+|[\w-]+\.(?:md|json|yml)|\.env\.example|\.dockerignore|Dockerfile)(?:#([^`]+))?`/g;

/** The text of a file; undefined if it does not exist. */
export type ReadFile = (path: string) => string | undefined;

const isTest = (path: string) => path.startsWith('test/') && /\.test\.ts$/.test(path);
/** The anchor of a heading, as GitHub makes it. */
const slugOf = (heading: string) =>
  heading
    .replace(/^#+ /, '')
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-');

/** Whether a file has the line that a name leads to: a heading, or a line with the name. */
function hasLine(path: string, text: string, name: string): boolean {
  const lines = text.split('\n');
  if (path.endsWith('.md'))
    return lines.some((line) => line.startsWith('#') && slugOf(line) === name);
  // Comments and imports show nothing.
  return lines.some((line) => line.includes(name) && !/^\s*(\/\/|\*|\/\*|import )/.test(line));
}

/** The fault of a reference that leads nowhere. */
function referenceFault(path: string, name: string | undefined, read: ReadFile) {
  const text = read(path);
  if (text === undefined) return `names ${path}, which does not exist`;
  if (name !== undefined && !hasLine(path, text, name))
    return `names ${path}#${name}, which is not in it`;
  if (isTest(path) && !/\b(test|isolate)(\.each)?\(/.test(text))
    return `names ${path}, which has no test`;
  return undefined;
}

/** Files that a document names between backticks and that do not exist. */
export function findMissingFiles(text: string, exists: (path: string) => boolean): string[] {
  const named = [...text.matchAll(filePattern)].map(([, path = '']) => path);
  return [...new Set(named)].filter((path) => !exists(path));
}

/**
 * Faults of the table of OWASP ASVS requirements: each one of levels 1 and 2 has one row, with its
 * level, a status, and a reason whose references lead somewhere; the summary has the right counts.
 */
export function findAsvsFaults(text: string, read: ReadFile): string[] {
  const faults: string[] = [];
  const required = requiredLevels();
  const counts = new Map<string, Counts>();
  const seen = new Set<string>();
  const rows = text.split('\n').filter((line) => line.startsWith('|'));
  for (const line of rows) {
    const cells = cellsOf(line);
    const [id = '', level, wording = '', status, reason = ''] = cells;
    if (!/^\d+\.\d+\.\d+$/.test(id)) continue;
    const say = (fault: string) => faults.push(`${id} ${fault}`);
    if (seen.has(id)) say('has more than one row');
    seen.add(id);
    if (cells.length !== 5) say(`has ${String(cells.length)} cells instead of 5`);
    if (!required.has(id)) say('is no requirement of level 1 or 2');
    else if (required.get(id) !== level) say(`has the level ${required.get(id) ?? ''}`);
    if (wording === '') say('has no wording');
    if (reason.length < 10) say('has no reason');
    let isShown = false;
    for (const [, path = '', name] of reason.matchAll(filePattern)) {
      const fault = referenceFault(path, name, read);
      if (fault !== undefined) say(fault);
      isShown ||= isTest(path) || name !== undefined;
    }
    if (!isStatus(status)) {
      say(`has a status that is none of: ${statuses.join(', ')}`);
      continue;
    }
    if (status === 'met' && !isShown) say('is met, but names no test and no line of a file');
    for (const chapter of [`V${id.split('.')[0] ?? ''}`, 'All']) {
      const sum = counts.get(chapter) ?? { met: 0, 'not met': 0, 'not applicable': 0 };
      sum[status] += 1;
      counts.set(chapter, sum);
    }
  }
  for (const id of required.keys()) if (!seen.has(id)) faults.push(`${id} has no row`);
  return [...faults, ...summaryFaults(rows, counts)];
}

function summaryFaults(rows: readonly string[], counts: ReadonlyMap<string, Counts>): string[] {
  const summary = rows.map((line) => cellsOf(line));
  return [...counts].flatMap(([chapter, count]) => {
    const figures = statuses.map((status) => String(count[status])).join(', ');
    const found = summary.filter(([name = '']) => name.split(' ')[0] === chapter);
    const isRight = found.length === 1 && found[0]?.slice(1).join(', ') === figures;
    return isRight ? [] : [`the summary of ${chapter} must be once: ${figures}`];
  });
}

/** Levels of the requirements that the table must have, by their ids. */
export function requiredLevels(): Map<string, string> {
  const levels = new Map<string, string>();
  for (const [section, digits] of asvsLevels) {
    for (let at = 0; at < digits.length; at += 1) {
      const level = digits.charAt(at);
      if (level !== '3') levels.set(`${section}.${String(at + 1)}`, level);
    }
  }
  return levels;
}

function cellsOf(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}
