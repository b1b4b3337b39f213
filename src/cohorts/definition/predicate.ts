import { arrayContains } from '../../platform/lists/predicates.ts';
import { arrayLiteral } from '../../platform/lists/statement.ts';
import type { Bind } from '../../platform/lists/statement.ts';
import type { CountTest, FieldTest, Leaf, Rule, Value } from './tree.ts';

/** Whether a statement is about some contacts, or all of a team: then rows are counted once for all. */
export type Reach = 'some' | 'all';

/**
 * The condition on contacts t (with their team_id in $1) that a rule tree stands for. It is true or
 * false and never null. `asOf` is the RFC 3339 time that windows count from.
 */
export function predicateOf(rule: Rule, bind: Bind, asOf: string, reach: Reach = 'some'): string {
  const now = clockOf(bind, asOf);
  return ruleText(rule, (leaf) => leafText(leaf, bind, now, reach));
}

/** The placeholder of a time; Postgres refuses one that no text names. */
export type Clock = () => string;

export function clockOf(bind: Bind, asOf: string): Clock {
  let placeholder: string | undefined;
  return () => (placeholder ??= bind(asOf, 'timestamptz'));
}

function ruleText(rule: Rule, textOf: (leaf: Leaf) => string): string {
  if (!('rules' in rule)) return textOf(rule);
  const parts = rule.rules.map((one) => ruleText(one, textOf));
  const joined = `(${parts.join(rule.op === 'all' ? ' and ' : ' or ')})`;
  return rule.op === 'none' ? `not ${joined}` : joined;
}

/** The condition of one leaf, as above; `now` gives the placeholder of the time. */
export function leafText(leaf: Leaf, bind: Bind, now: Clock, reach: Reach = 'some'): string {
  switch (leaf.leaf) {
    case 'field':
      return testText('t', leaf.field, bind, now);
    case 'account': {
      const where = leaf.where.map((test) => ` and ${testText('a', test, bind, now)}`).join('');
      const rows = `from accounts a where a.team_id = $1 and a.deleted_at is null${where}`;
      const holds = leaf.count
        ? counted(rows, 'a.contact_id', leaf.count, bind, reach)
        : `exists (select ${rows} and a.contact_id = t.id)`;
      return leaf.match === 'none' ? `not ${holds}` : holds;
    }
    case 'objective': {
      const by =
        leaf.by === 'id'
          ? `c.objective_id = ${bind(leaf.value, 'uuid')}`
          : `c.objective_id in (select o.id from objectives o where o.team_id = $1 and o.key = ${bind(leaf.value, 'text')})`;
      const within = leaf.within
        ? ` and c.completed_at > ${earlier(now, leaf.within, bind)} and c.completed_at <= ${now()}`
        : '';
      const holds =
        'exists (select from objective_completions c where c.team_id = $1 and c.contact_id = t.id' +
        ` and c.voided_at is null and ${by}${within})`;
      return leaf.completed ? holds : `not ${holds}`;
    }
    case 'event': {
      const where = leaf.where.map((test) => ` and ${testText('e', test, bind, now)}`).join('');
      const within = leaf.within
        ? ` and e.occurred_at > ${earlier(now, leaf.within, bind)} and e.occurred_at <= ${now()}`
        : '';
      const rows =
        'from engagement_events e where e.team_id = $1' +
        ` and e.kind = ${bind(leaf.kind, 'text')}${within}${where}`;
      const { op, value } = leaf.times;
      return op === 'gte' && value === 1
        ? `exists (select ${rows} and e.contact_id = t.id)`
        : counted(rows, 'e.contact_id', leaf.times, bind, reach);
    }
    case 'cohort': {
      const holds =
        'exists (select from cohort_members m where m.team_id = $1 and m.contact_id = t.id' +
        ` and m.cohort_id = ${bind(leaf.id, 'uuid')})`;
      return leaf.member ? holds : `not ${holds}`;
    }
    case 'journey': {
      const template = bind(leaf.templateId, 'uuid');
      const status =
        leaf.statuses.length > 0
          ? ` and j.status = any(${bind(arrayLiteral(leaf.statuses), 'text[]')})`
          : '';
      return (
        'exists (select from journeys j where j.team_id = $1 and j.contact_id = t.id' +
        ` and j.template_id = ${template}${status})`
      );
    }
    case 'consent':
      return `coalesce(t.consents -> ${bind(leaf.channel, 'text')} ->> 'status' = ${bind(leaf.status, 'text')}, false)`;
    case 'topic_consent': {
      const topic = bind(leaf.topicId, 'uuid');
      const status = bind(leaf.status, 'text');
      const choice =
        'select from contact_topic_consents c where c.team_id = $1 and c.contact_id = t.id' +
        ` and c.topic_id = ${topic} and c.channel = ${bind(leaf.channel, 'text')}`;
      const isDefault =
        'exists (select from topics p where p.team_id = $1' +
        ` and p.id = ${topic} and p.default_consent = ${status})`;
      return (
        `(exists (${choice} and c.status = ${status})` +
        ` or ${isDefault} and not exists (${choice} and c.status <> ${status}))`
      );
    }
    case 'random': {
      const hash = `md5(${bind(leaf.salt, 'text')} || t.id::text)`;
      // The first 32 bits, which any other program can work out as well.
      return `('x' || left(${hash}, 8))::bit(32)::bigint % 10000 < ${bind(leaf.percent, 'numeric')} * 100`;
    }
    default:
      return leaf satisfies never;
  }
}

const comparisons = { eq: '=', neq: '<>', lt: '<', lte: '<=', gt: '>', gte: '>=' } as const;

/** Whether a contact of whom there is no such row passes the test. */
const holdsForNone = {
  eq: (value: number) => value === 0,
  neq: (value: number) => value !== 0,
  lt: (value: number) => value > 0,
  lte: () => true,
  gt: () => false,
  gte: (value: number) => value === 0,
};

/** Whether as many of the rows are of the contact. For all contacts: who is among those counted. */
function counted(
  rows: string,
  contact: string,
  { op, value }: CountTest,
  bind: Bind,
  reach: Reach,
): string {
  const test = `${comparisons[op]} ${bind(value, 'bigint')}`;
  if (reach === 'some') return `(select count(*) ${rows} and ${contact} = t.id) ${test}`;
  // Contacts without a row are in no group, so where they pass, those are looked for who do not.
  const not = holdsForNone[op](value) ? 'not' : '';
  return `t.id ${not} in (select ${contact} ${rows} and ${contact} is not null group by 1 having ${not} count(*) ${test})`;
}

const sqlTypes = {
  text: 'text',
  timestamp: 'timestamptz',
  number: 'bigint',
  boolean: 'boolean',
  id: 'uuid',
} as const;

function testText(alias: string, test: FieldTest, bind: Bind, now: Clock): string {
  const { kind, name, op, values } = test;
  if (kind === 'attribute') return attributeText(alias, test, bind);
  const column = `${alias}.${name}`;
  if (kind === 'texts') {
    const [value = ''] = values;
    if (op === 'contains') return arrayContains(column, bind(value, 'text'));
    return `cardinality(${column}) ${op === 'present' ? '>' : '='} 0`;
  }
  if (op === 'present') return `${column} is not null`;
  if (op === 'missing') return `${column} is null`;
  if (kind === 'address') return `(${addressText(column, test, bind, now)}) is true`;
  return `(${compared(column, sqlTypes[kind], test, bind, now)}) is true`;
}

/** Regardless of case, as filters compare addresses. */
function addressText(column: string, test: FieldTest, bind: Bind, now: Clock): string {
  const { op, values } = test;
  const [value = ''] = values;
  const one = () => `folded(${bind(value, 'text')})`;
  const all = () =>
    `array(select folded(v) from unnest(${bind(arrayLiteral(values), 'text[]')}) v)`;
  switch (op) {
    case 'eq':
    case 'neq':
      return `folded(${column}) ${comparisons[op]} ${one()}`;
    case 'in':
      return `folded(${column}) = any(${all()})`;
    case 'nin':
      return `folded(${column}) <> all(${all()})`;
    default:
      return compared(column, 'text', test, bind, now);
  }
}

function compared(
  column: string,
  sqlType: string,
  { op, values }: FieldTest,
  bind: Bind,
  now: Clock,
): string {
  const [value = ''] = values;
  const span = () => String(value);
  switch (op) {
    case 'eq':
    case 'neq':
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      return `${column} ${comparisons[op]} ${bind(value, sqlType)}`;
    case 'in':
      return `${column} = any(${bind(arrayLiteral(values), `${sqlType}[]`)})`;
    case 'nin':
      return `${column} <> all(${bind(arrayLiteral(values), `${sqlType}[]`)})`;
    case 'contains':
      return like(column, `%${escapeLike(String(value))}%`, bind);
    case 'starts_with':
      return like(column, `${escapeLike(String(value))}%`, bind);
    case 'ends_with':
      return like(column, `%${escapeLike(String(value))}`, bind);
    case 'within_last':
      return `${column} > ${earlier(now, span(), bind)} and ${column} <= ${now()}`;
    case 'not_within_last':
      return `${column} <= ${earlier(now, span(), bind)} or ${column} > ${now()}`;
    case 'older_than':
      return `${column} < ${earlier(now, span(), bind)}`;
    case 'in_next':
      return `${column} > ${now()} and ${column} <= ${later(now, span(), bind)}`;
    case 'anniversary_in_next': {
      const at = `((${column} at time zone 'UTC') + make_interval(years => years)) at time zone 'UTC'`;
      return (
        'exists (select from generate_series(' +
        `greatest(1, date_part('year', ${now()} at time zone 'UTC')::int - date_part('year', ${column} at time zone 'UTC')::int), ` +
        `date_part('year', ${later(now, span(), bind)} at time zone 'UTC')::int - date_part('year', ${column} at time zone 'UTC')::int` +
        `) as years where ${at} > ${now()} and ${at} <= ${later(now, span(), bind)})`
      );
    }
    case 'present':
    case 'missing':
      return 'null';
    default:
      return op satisfies never;
  }
}

/** Condition on a scalar or a list in a JSON object, whose type must be that of the value. */
function attributeText(alias: string, test: FieldTest, bind: Bind): string {
  const { name, op, values } = test;
  const object = `${alias}.${name.split('.', 1).join()}`;
  const place = bind(test.key ?? '', 'text');
  const entry = `(${object} -> ${place})`;
  const isThere = `coalesce(${object} ? ${place}, false)`;
  // Each by itself: Postgres parses a list of JSON values again for every row.
  const json = (value: Value) => `${bind(JSON.stringify(value), 'text')}::jsonb`;
  const isAny = () => `coalesce(${entry} = any(array[${values.map(json).join(', ')}]), false)`;
  const asText = `(${entry} #>> '{}')`;
  const ofType = (type: string, holds: string) =>
    `case when jsonb_typeof(${entry}) = '${type}' then ${holds} else false end`;
  const [value = ''] = values;
  switch (op) {
    case 'present':
      return isThere;
    case 'missing':
      return `not ${isThere}`;
    case 'eq':
    case 'in':
      return isAny();
    case 'neq':
    case 'nin':
      return `(${isThere} and not ${isAny()})`;
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      return typeof value === 'number'
        ? ofType('number', `${entry} ${comparisons[op]} ${json(value)}`)
        : ofType('string', `${asText} collate "C" ${comparisons[op]} ${bind(value, 'text')}`);
    case 'contains':
      return (
        `(${ofType('array', `${entry} ? ${bind(value, 'text')}`)} or ` +
        `${ofType('string', like(asText, `%${escapeLike(String(value))}%`, bind))})`
      );
    case 'starts_with':
      return ofType('string', like(asText, `${escapeLike(String(value))}%`, bind));
    case 'ends_with':
      return ofType('string', like(asText, `%${escapeLike(String(value))}`, bind));
    default:
      return 'false';
  }
}

const like = (column: string, pattern: string, bind: Bind) =>
  `folded(${column}) like folded(${bind(pattern, 'text')})`;

const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/** Computed in UTC, independent of the time zone of the session: a day has 24 hours. */
const shifted = (now: Clock, sign: '-' | '+', span: string, bind: Bind) =>
  `((${now()} at time zone 'UTC') ${sign} ${bind(span, 'interval')}) at time zone 'UTC'`;
const earlier = (now: Clock, span: string, bind: Bind) => shifted(now, '-', span, bind);
const later = (now: Clock, span: string, bind: Bind) => shifted(now, '+', span, bind);
