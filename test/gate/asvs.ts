import { asvsLevels } from './asvs-levels.ts';

const statuses = ['met', 'not met', 'not applicable'] as const;
type Status = (typeof statuses)[number];
type Counts = Record<Status, number>;

const isStatus = (text: string | undefined): text is Status =>
  statuses.some((status) => status === text);

/** Names of files of the repository, between backticks. */
const filePattern =
  /`((?:src|test|docs|workflows|activities)\/[\w./-]+|[\w-]+\.(?:md|json|yml)|\.env\.example|\.dockerignore|Dockerfile)`/g;
/** Where a requirement that is met can be seen. */
const evidencePattern = new RegExp(filePattern.source);

/** Files that a document names between backticks and that do not exist. */
export function findMissingFiles(text: string, exists: (path: string) => boolean): string[] {
  const named = [...text.matchAll(filePattern)].map(([, path = '']) => path);
  return [...new Set(named)].filter((path) => !exists(path));
}

/**
 * Faults of the table of OWASP ASVS requirements: each one of levels 1 and 2 has one row, with its
 * level, a status, and a reason that names files which exist; the summary has the right counts.
 */
export function findAsvsFaults(text: string, exists: (path: string) => boolean): string[] {
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
    for (const [, path = ''] of reason.matchAll(filePattern)) {
      if (!exists(path)) say(`names ${path}, which does not exist`);
    }
    if (!isStatus(status)) {
      say(`has a status that is none of: ${statuses.join(', ')}`);
      continue;
    }
    if (status === 'met' && !evidencePattern.test(reason)) say('is met, but names no file');
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
