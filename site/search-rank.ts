/** The weight of a section: guides before rules, rules before lists and pages for operators. */
export function rankOf(id: string, _term: string, stored?: Record<string, unknown>): number {
  const page = id.replace(/^.*?\/docs\//, '').replace(/[#.].*$/, '');
  const titles = stored?.['titles'];
  const top = Array.isArray(titles) && titles.length === 0 ? 1.5 : 1;
  if (/^(guides\/|quick-start|concepts)/.test(page)) return 1.8 * top;
  if (/^reference\//.test(page)) return 1.3;
  if (/^events\//.test(page)) return 1;
  if (/^errors\//.test(page)) return 0.6;
  if (/^(authorization|cli|tables|metrics|workflows|settings|commands|audit|security)/.test(page)) {
    return 0.4;
  }
  if (
    /^(operators|runbook|kubernetes|scaling|faults|architecture|add-a-resource|add-a-job|review)/.test(
      page,
    )
  ) {
    return 0.5;
  }
  return 1.2 * top;
}
