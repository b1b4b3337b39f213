import { element, labeled } from '../../../widget/script/dom.ts';
import type { Filter, List } from './declared.ts';
import type { Query } from './operations.ts';

/** The part of the address of the page that a list reads and writes. */
export interface ListAddress {
  chosen(filter: string): string;
  choose(filter: string, value: string): void;
  hrefOf(id: string): string;
}

export function queryOf({ name, query }: Filter, value: string): Query {
  if (value === '') return {};
  return query ? query(value) : { [`filter[${name}]`]: value };
}

export function filterForm(
  { title, filters = [] }: List,
  address: ListAddress,
  change: () => void,
): HTMLElement[] {
  if (filters.length === 0) return [];
  const fields = filters.map((filter) => {
    const value = address.chosen(filter.name);
    const field = filter.options
      ? element(
          'select',
          { name: filter.name },
          ...filter.options.map(([option, label]) =>
            element('option', { value: option, selected: option === value }, label),
          ),
        )
      : element('input', { name: filter.name, value, placeholder: filter.placeholder ?? 'any' });
    field.addEventListener('change', () => {
      const id = filter.opens?.(field.value.trim());
      if (id !== undefined) {
        location.hash = address.hrefOf(id);
        return;
      }
      address.choose(filter.name, field.value.trim());
      change();
    });
    return labeled(filter.label, field);
  });
  const form = element(
    'form',
    { class: 'filters', autocomplete: 'off', 'aria-label': `Filters of ${title}` },
    ...fields,
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
  });
  return [form];
}
