/**
 * The contacts in an answer: those that are shown as a resource, or also those that a `contact_id`
 * names.
 */
export function contactIdsIn(answer: unknown, which: 'shown' | 'named'): Set<string> {
  const ids = new Set<string>();
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, field] of Object.entries(value)) {
      if (which === 'named' && name === 'contact_id' && typeof field === 'string') ids.add(field);
      walk(field);
    }
    const { id, type, resource_type: kind }: Record<string, unknown> = { ...value };
    if ((type === 'contact' || kind === 'contact') && typeof id === 'string') ids.add(id);
  };
  walk(answer);
  return ids;
}
