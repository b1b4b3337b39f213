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
