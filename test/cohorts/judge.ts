/**
 * Decides whether a contact matches a definition, in plain TypeScript over whole rows: written
 * from docs/cohorts.md, independently of the code of the service.
 */

export interface Facts {
  contact: any;
  accounts: readonly any[];
  completions: readonly any[];
  events: readonly any[];
  journeys: readonly any[];
  objectiveKeys: ReadonlyMap<string, string>;
  /** Ids of the cohorts that the contact is in. */
  cohorts: ReadonlySet<string>;
  nowMs: number;
  md5(text: string): string;
}

export function belongs(rule: any, facts: Facts): boolean {
  if (rule.rules) {
    const verdicts: boolean[] = rule.rules.map((one: any) => belongs(one, facts));
    if (rule.op === 'all') return verdicts.every(Boolean);
    return verdicts.some(Boolean) === (rule.op === 'any');
  }
  if (rule.field) {
    return holds(
      facts.contact,
      { ...rule, field: rule.field.slice('contact.'.length) },
      facts.nowMs,
    );
  }
  if (rule.account) {
    const { match = 'any', where = [], count } = rule.account;
    const found = facts.accounts.filter((row) =>
      where.every((test: any) => holds(row, test, facts.nowMs)),
    ).length;
    return (count ? compares(found, count.op, count.value) : found > 0) === (match === 'any');
  }
  if (rule.objective) {
    const { id, key, completed = true, within } = rule.objective;
    const requested = id ?? facts.objectiveKeys.get(key);
    const isDone = facts.completions.some(
      (row) =>
        row.objective_id === requested &&
        row.voided_at === null &&
        (within === undefined || isWithin(row.completed_at, within, facts.nowMs)),
    );
    return isDone === completed;
  }
  if (rule.event) {
    const { kind, where = [], times = { op: 'gte', value: 1 }, within } = rule.event;
    const found = facts.events.filter(
      (row) =>
        row.kind === kind &&
        (within === undefined || isWithin(row.occurred_at, within, facts.nowMs)) &&
        where.every((test: any) => holds(row, test, facts.nowMs)),
    ).length;
    return compares(found, times.op, times.value);
  }
  if (rule.cohort) return facts.cohorts.has(rule.cohort.id) === (rule.cohort.member ?? true);
  if (rule.journey) {
    const { template_id, status = [] } = rule.journey;
    const statuses: unknown[] = [status].flat();
    return facts.journeys.some(
      (row) =>
        row.template_id === template_id && (statuses.length === 0 || statuses.includes(row.status)),
    );
  }
  if (rule.consent)
    return facts.contact.consents[rule.consent.channel].status === rule.consent.status;
  const { percent, salt = 'onward' } = rule.random;
  const bucket =
    Number.parseInt(facts.md5(`${String(salt)}${String(facts.contact.id)}`).slice(0, 8), 16) %
    10_000;
  return bucket < percent * 100;
}

interface Test {
  field: string;
  op: string;
  value?: any;
}

function holds(row: any, { field, op, value }: Test, nowMs: number): boolean {
  const dot = field.indexOf('.');
  const found = dot < 0 ? row[field] : row[field.slice(0, dot)]?.[field.slice(dot + 1)];
  const isAttribute = dot >= 0;
  const isMissing =
    found === null ||
    found === undefined ||
    (!isAttribute && Array.isArray(found) && found.length === 0);
  if (op === 'missing') return isMissing;
  if (isMissing) return false;
  if (op === 'present') return true;
  const isTime = found instanceof Date;
  const compared = (one: any) => (field === 'email' ? one.toLowerCase() : one);
  const actual = isTime ? found.getTime() : compared(found);
  const given = (one: any) => (isTime && typeof one === 'string' ? Date.parse(one) : compared(one));
  const same = (one: any) =>
    Array.isArray(actual) ? false : typeof actual === typeof given(one) && actual === given(one);
  switch (op) {
    case 'eq':
      return same(value);
    case 'neq':
      return !same(value);
    case 'in':
      return value.some(same);
    case 'nin':
      return !value.some(same);
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte': {
      const other = given(value);
      if (typeof actual !== typeof other) return false;
      return compares(actual, op, other);
    }
    case 'contains':
      if (Array.isArray(actual)) return actual.includes(value);
      return typeof actual === 'string' && actual.toLowerCase().includes(value.toLowerCase());
    case 'starts_with':
      return typeof actual === 'string' && actual.toLowerCase().startsWith(value.toLowerCase());
    case 'ends_with':
      return typeof actual === 'string' && actual.toLowerCase().endsWith(value.toLowerCase());
    case 'within_last':
      return isWithin(found, value, nowMs);
    case 'not_within_last':
      return !isWithin(found, value, nowMs);
    case 'older_than':
      return actual < moved(nowMs, value, -1);
    case 'in_next':
      return actual > nowMs && actual <= moved(nowMs, value, 1);
    default:
      return hasAnniversary(actual, nowMs, moved(nowMs, value, 1));
  }
}

function compares(actual: any, op: string, other: any): boolean {
  // Texts by their code points, as UTF-8 orders them.
  const [a, b] =
    typeof actual === 'string'
      ? [Buffer.compare(Buffer.from(actual), Buffer.from(other)), 0]
      : [actual, other];
  if (op === 'eq') return a === b;
  if (op === 'neq') return a !== b;
  if (op === 'lt') return a < b;
  if (op === 'lte') return a <= b;
  return op === 'gt' ? a > b : a >= b;
}

function isWithin(at: Date, span: string, nowMs: number): boolean {
  return at.getTime() > moved(nowMs, span, -1) && at.getTime() <= nowMs;
}

/** Months first, cut to the end of a shorter month; then days and seconds, all in UTC. */
function moved(atMs: number, span: string, sign: 1 | -1): number {
  const [, years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = (
    /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(
      span,
    ) ?? []
  ).map((text) => Number(text ?? 0));
  const inMonths = withMonths(atMs, sign * (years * 12 + months));
  const day = 86_400_000;
  return (
    inMonths + sign * ((weeks * 7 + days) * day + ((hours * 60 + minutes) * 60 + seconds) * 1_000)
  );
}

function withMonths(atMs: number, months: number): number {
  const at = new Date(atMs);
  const first = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months, 1);
  const start = new Date(first);
  const last = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 0)).getUTCDate();
  const sinceMidnight = atMs - Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate());
  return first + (Math.min(at.getUTCDate(), last) - 1) * 86_400_000 + sinceMidnight;
}

function hasAnniversary(bornMs: number, afterMs: number, untilMs: number): boolean {
  for (let years = 1; years < 60; years += 1) {
    const at = withMonths(bornMs, years * 12);
    if (at > afterMs && at <= untilMs) return true;
    if (at > untilMs) return false;
  }
  return false;
}
