import { readFileSync } from 'node:fs';

export interface Sample {
  page: string;
  line: number;
  language: string;
  text: string;
  /** Steps that a reader is assumed to have done; they run before it. */
  first?: string;
  /** Reason why it is not run. */
  notRun?: string;
  /** File of the test that runs it. */
  runBy?: string;
  /** File that has the same text, and that another sample or a test runs. */
  file?: string;
}

export interface Guide {
  page: string;
  samples: Sample[];
  /** Texts that its samples print, in the end. */
  prints: string[];
  /** Pages that its samples serve, with the text that a browser shows there. */
  shows: { url: string; text: string }[];
}

/** Data, answers, markup and settings of other programs, which nobody runs. */
const noCode: ReadonlySet<string> = new Set([
  ...['', 'json', 'html', 'liquid', 'csv', 'mermaid', 'yaml', 'toml', 'nginx', 'haproxy'],
]);

const block =
  /(?:<!-- (not run|run by|file|first):\s((?:(?!-->)[^])+?)\s+-->\n\n)?^( *)```(\w*)\n([^]*?)^\3```$/gm;

/** The samples of a page of docs/ and what its comments promise of them. */
export function readGuide(page: string, markdown: string): Guide {
  const samples = [...markdown.matchAll(block)]
    .filter(([, , , , language = '']) => !noCode.has(language))
    .map((found): Sample => {
      const [, mark, value = '', , language = '', text = ''] = found;
      const line = markdown.slice(0, found.index).split('\n').length;
      return {
        ...{ page, line, language, text },
        ...(mark === 'not run' && { notRun: value }),
        ...(mark === 'run by' && { runBy: value }),
        ...(mark === 'file' && { file: value }),
        ...(mark === 'first' && { first: value }),
      };
    });
  const promises = (name: string) =>
    [...markdown.matchAll(new RegExp(`^<!-- ${name}: (.+) -->$`, 'gm'))].map(
      ([, text = '']) => text,
    );
  const shows = promises('shows').map((text) => {
    const [url = '', ...words] = text.split(' ');
    return { url, text: words.join(' ') };
  });
  return { page, samples, prints: promises('prints'), shows };
}

/** The samples of a page that say that this test runs them. */
export function samplesRunBy(page: string, test: string): Sample[] {
  const { samples } = readGuide(page, readFileSync(page, 'utf8'));
  return samples.filter(({ runBy }) => runBy === test);
}

/** Whether a sample is no part of the story of its page. */
const isApart = ({ notRun, runBy }: Sample) => notRun !== undefined || runBy !== undefined;

/** One program of all samples of a language in their order. */
export function storyOf({ samples }: Guide, language: string): string {
  return samples
    .filter((sample) => sample.language === language && !isApart(sample))
    .flatMap(({ first, text }) => (first === undefined ? [text] : [first, text]))
    .join('\n');
}
