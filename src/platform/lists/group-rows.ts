/** Related rows by the id of what they belong to, in their order; for the loaders of includes. */
export function groupRows<Row extends object>(
  rows: readonly Row[],
  ownerOf: (row: Row) => string,
): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const owner = ownerOf(row);
    const group = groups.get(owner);
    if (group) group.push(row);
    else groups.set(owner, [row]);
  }
  return groups;
}
