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
