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
