interface Described {
  id: string;
  description: string;
}

/** Faults of the descriptions of operations: each has two to five full sentences. */
export function findDescriptionFaults(operations: readonly Described[]): string[] {
  return operations.flatMap(({ id, description }) => {
    const count = description.split(/(?<=[.!?])\s+(?=[\p{L}\d`])/u).length;
    if (count < 2 || count > 5)
      return [`${id} is described in ${String(count)} sentences, not 2 to 5`];
    return description.endsWith('.') ? [] : [`the description of ${id} ends without a period`];
  });
}

/** The first word of each summary: what the operation does, in the verbs of the field. */
const summaryVerbs = new Set(
  (
    'Activate Add Answer Apply Approve Archive Cancel Close Confirm Count Create Define Delete ' +
    'Duplicate End Enroll Erase Exchange Execute Expire Explain Export Get Invite Launch List Lock ' +
    'Merge Opt Pause Place Publish Reactivate Receive Record Register Release Remove Render Reopen ' +
    'Replay Resend Reset Resume Retry Revoke Rotate Schedule Send Start Subscribe Suppress Suspend ' +
    'Test Unarchive Unlock Unpublish Unschedule Update Upload Validate Verify Void'
  ).split(' '),
);

/** Summaries that do not begin with a verb of the list. Those of insights name their figures. */
export function findSummaryFaults(
  operations: readonly { id: string; summary: string }[],
): string[] {
  return operations.flatMap(({ id, summary }) => {
    const [verb = ''] = summary.split(/[ ,]/);
    return summaryVerbs.has(verb) || /^get(Advanced|Template)Insight/.test(id)
      ? []
      : [`the summary of ${id} begins with “${verb}”, no verb of test/gate/descriptions.ts`];
  });
}

const dialect =
  /\b(judge[ds]?|proofs?|for good|came in|becomes? of|became of|of ours|out of the archive|by now|any more|no more|once more)\b/i;

/** Public texts, each with where it stands, that say something in other words than the field does. */
export function findDialect(texts: readonly (readonly [place: string, text: string])[]): string[] {
  return texts.flatMap(([place, text]) => {
    const [found] = dialect.exec(text) ?? [];
    return found === undefined ? [] : [`${place}: “${found}” is no standard term: ${text}`];
  });
}

/** Summaries and descriptions of an OpenAPI document, each with the name of what has it. */
export function textsOf(value: unknown, place = ''): [place: string, text: string][] {
  if (Array.isArray(value)) return value.flatMap((inner) => textsOf(inner, place));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) =>
    (name === 'summary' || name === 'description') && typeof inner === 'string'
      ? [[place, inner]]
      : name === 'example' || name === 'examples'
        ? []
        : textsOf(inner, `${place}/${name}`),
  );
}

interface Summarized extends Described {
  method: string;
  summary: string;
}

/** Sentences that the descriptions of many operations have, and that say nothing about one of them. */
const common =
  /A page holds .*|(It|The call) has no side effects\.|Nothing is changed\.|It is computed for the request[^.]*\./gs;
const fewestWords = 4;
const wordsOf = (text: string) => text.toLowerCase().match(/[a-z][a-z0-9_]{3,}/g) ?? [];
/** A word without its ending: "accounts" repeats "account". */
const stemOf = (word: string) => word.replace(/(es|s|ed|ing|d)$/, '');
const verbs = new Set(['return', 'one', 'with', 'that', 'team', 'this', 'and'].map(stemOf));

/** Operations that read, with a description that only repeats the summary. */
export function findRepeatedSummaries(operations: readonly Summarized[]): string[] {
  return operations.flatMap(({ id, method, summary, description }) => {
    if (method !== 'GET') return [];
    const known = new Set([...verbs, ...wordsOf(summary).map(stemOf)]);
    const said = new Set(wordsOf(description.replace(common, '')).map(stemOf));
    const added = [...said].filter((word) => !known.has(word));
    return added.length < fewestWords ? [`the description of ${id} repeats its summary`] : [];
  });
}

/** Answers of the OpenAPI document with a body and without an example, by their operation. */
export function findMissingExamples(document: unknown): string[] {
  return entriesOf(at(document, 'paths')).flatMap(([path, operations]) =>
    entriesOf(operations).flatMap(([method, operation]) =>
      entriesOf(at(operation, 'responses'))
        .filter(([status]) => status.startsWith('2'))
        .flatMap(([status, response]) =>
          entriesOf(at(resolve(document, response), 'content'))
            .filter(([, media]) => !hasExample(media))
            .map(([type]) => `${method} ${path} has no example of ${status} ${type}`),
        ),
    ),
  );
}

const hasExample = (media: unknown) =>
  at(media, 'example') !== undefined || entriesOf(at(media, 'examples')).length > 0;

function resolve(document: unknown, value: unknown): unknown {
  const reference = at(value, '$ref');
  if (typeof reference !== 'string') return value;
  return reference.replace('#/', '').split('/').reduce<unknown>(at, document);
}

function at(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

const entriesOf = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : [];

/** Texts of the OpenAPI document that open with a word which leaves out the noun. */
export function findOpenings(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(findOpenings);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) => {
    if (name !== 'description' || typeof inner !== 'string') return findOpenings(inner);
    const [, word] = /^(What|How|Of|Else|Has) /.exec(inner) ?? [];
    const line = `“${inner.slice(0, 60)}” opens with “${word ?? ''}”; instead: the noun, or a verb`;
    return word === undefined ? [] : [line];
  });
}
