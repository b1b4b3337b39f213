import type { Problem } from '../../platform/http/errors.ts';
import { journeyStatuses } from './journey-statuses.ts';
import { readTest, readTests } from './field-tests.ts';
import { accountFields, contactFields, eventFields } from './fields.ts';
import { createReader, isRecord } from './reader.ts';
import type { Json, Reader } from './reader.ts';
import { groupOps } from './tree.ts';
import type { Leaf, Rule } from './tree.ts';

const deepest = 6;
const maxLeaves = 100;
/** Statements bind the values, and the driver accepts at most 65,534 parameters. */
const maxValues = 2_000;
const maxStatuses = journeyStatuses.length;

/** Reads the rule tree of a definition, or everything that is wrong with it, each by its pointer. */
export function parseDefinition(
  value: unknown,
  pointer = '/definition',
): { rule: Rule } | { problems: readonly Problem[] } {
  const reader = createReader();
  const rule = readRule(reader, value, pointer, 1);
  const leaves = rule ? leavesOf(rule) : [];
  if (leaves.length > maxLeaves) {
    const detail = `A definition has at most ${String(maxLeaves)} leaves.`;
    reader.refuse(pointer, 'max_items', detail, maxLeaves);
  }
  const valueCount = leaves.reduce((sum, { leaf }) => sum + countValues(leaf), 0);
  if (valueCount > maxValues) {
    const detail = `A definition compares with at most ${String(maxValues)} values; it has ${String(valueCount)}.`;
    reader.refuse(pointer, 'max_items', detail, maxValues);
  }
  const problems = reader.problems.all;
  return rule && problems.length === 0 ? { rule } : { problems };
}

/** Number of values that the conditions of a leaf compare with. */
function countValues(leaf: Leaf): number {
  if (leaf.leaf === 'field') return leaf.field.values.length;
  if (leaf.leaf !== 'account' && leaf.leaf !== 'event') return 0;
  return leaf.where.reduce((sum, { values }) => sum + values.length, 0);
}

/** The leaves of a tree in the order that they are written in, by their pointers. */
export function leavesOf(rule: Rule, pointer = '/definition'): { pointer: string; leaf: Leaf }[] {
  if (!('rules' in rule)) return [{ pointer, leaf: rule }];
  return rule.rules.flatMap((one, at) => leavesOf(one, `${pointer}/rules/${String(at)}`));
}

function readRule(reader: Reader, value: unknown, pointer: string, depth: number): Rule | null {
  // Groups of groups may hold many rules: after the last problem that is shown, nothing is read.
  if (reader.problems.isFull) return null;
  if (!isRecord(value)) return reader.refuse(pointer, 'type', 'A rule is an object.', 'object');
  return 'rules' in value || ('op' in value && !('field' in value))
    ? readGroup(reader, value, pointer, depth)
    : readLeaf(reader, value, pointer);
}

function readGroup(reader: Reader, value: Json, pointer: string, depth: number): Rule | null {
  if (depth > deepest) {
    const detail = `Groups stand at most ${String(deepest)} deep.`;
    return reader.refuse(pointer, 'depth', detail, deepest);
  }
  reader.only(value, ['op', 'rules'], pointer);
  const op = reader.choice(value['op'], groupOps, `${pointer}/op`);
  const { rules: sent } = value;
  if (!Array.isArray(sent) || sent.length === 0) {
    return reader.refuse(`${pointer}/rules`, 'min_items', 'A group has at least one rule.', 1);
  }
  if (sent.length > maxLeaves) {
    const detail = `A group has at most ${String(maxLeaves)} rules.`;
    return reader.refuse(`${pointer}/rules`, 'max_items', detail, maxLeaves);
  }
  const rules = sent.map((one: unknown, at) =>
    readRule(reader, one, `${pointer}/rules/${String(at)}`, depth + 1),
  );
  const read = rules.filter((one) => one !== null);
  return op && read.length === rules.length ? { op, rules: read } : null;
}

function readLeaf(reader: Reader, value: Json, pointer: string): Leaf | null {
  if ('field' in value) return readField(reader, value, pointer);
  const names = Object.keys(leaves);
  const [name, more] = Object.keys(value);
  const read = name !== undefined && Object.hasOwn(leaves, name) ? leaves[name] : undefined;
  if (name === undefined || !read || more !== undefined) {
    const detail = `A rule is a group with op and rules, or has one of field, ${names.join(', ')}.`;
    return reader.refuse(pointer, 'one_of', detail, ['field', ...names]);
  }
  const body = value[name];
  const place = `${pointer}/${name}`;
  if (isRecord(body)) return read(reader, body, place);
  return reader.refuse(place, 'type', 'It is an object.', 'object');
}

function readField(reader: Reader, value: Json, pointer: string): Leaf | null {
  const { field: name } = value;
  if (typeof name !== 'string' || !name.startsWith('contact.')) {
    const expected = Object.keys(contactFields).map((field) => `contact.${field}`);
    const detail = 'The name of a field begins with "contact.".';
    return reader.refuse(`${pointer}/field`, 'enum', detail, expected);
  }
  const bare = { ...value, field: name.slice('contact.'.length) };
  const field = readTest(reader, bare, contactFields, pointer);
  return field && { leaf: 'field', field };
}

const channels = ['email', 'sms', 'push'] as const;

type ReadLeaf = (reader: Reader, body: Json, pointer: string) => Leaf | null;

const leaves: Readonly<Record<string, ReadLeaf>> = {
  account(reader, body, pointer) {
    reader.only(body, ['match', 'where', 'count'], pointer);
    const match = reader.choice(body['match'] ?? 'any', ['any', 'none'], `${pointer}/match`);
    const where = readTests(reader, body['where'], accountFields, `${pointer}/where`);
    const count = optional(body['count'], (sent) => reader.count(sent, `${pointer}/count`));
    if (!match || !where || count === null) return null;
    return { leaf: 'account', match, where, ...(count && { count }) };
  },
  objective(reader, body, pointer) {
    reader.only(body, ['id', 'key', 'completed', 'within'], pointer);
    const by = 'id' in body ? 'id' : 'key';
    if ('id' in body === 'key' in body) {
      const detail = 'Name the objective by id or by key.';
      return reader.refuse(pointer, 'one_of', detail, ['id', 'key']);
    }
    const place = `${pointer}/${by}`;
    const value = by === 'id' ? reader.id(body['id'], place) : reader.text(body['key'], place);
    const completed = reader.flag(body['completed'] ?? true, `${pointer}/completed`);
    const within = withinOf(reader, body, pointer);
    if (value === null || completed === null || within === null) return null;
    return { leaf: 'objective', by, value, completed, ...(within !== undefined && { within }) };
  },
  event(reader, body, pointer) {
    reader.only(body, ['kind', 'where', 'times', 'within'], pointer);
    const kind = reader.text(body['kind'], `${pointer}/kind`);
    const where = readTests(reader, body['where'], eventFields, `${pointer}/where`);
    const times = reader.count(body['times'] ?? { op: 'gte', value: 1 }, `${pointer}/times`);
    const within = withinOf(reader, body, pointer);
    if (kind === null || !where || !times || within === null) return null;
    return { leaf: 'event', kind, where, times, ...(within !== undefined && { within }) };
  },
  cohort(reader, body, pointer) {
    reader.only(body, ['id', 'member'], pointer);
    const id = reader.id(body['id'], `${pointer}/id`);
    const member = reader.flag(body['member'] ?? true, `${pointer}/member`);
    return id === null || member === null ? null : { leaf: 'cohort', id, member };
  },
  journey(reader, body, pointer) {
    reader.only(body, ['template_id', 'status'], pointer);
    const templateId = reader.id(body['template_id'], `${pointer}/template_id`);
    const { status = [] } = body;
    const sent: readonly unknown[] = Array.isArray(status) ? status : [status];
    if (sent.length > maxStatuses) {
      const detail = `A list of at most ${String(maxStatuses)} statuses.`;
      return reader.refuse(`${pointer}/status`, 'max_items', detail, maxStatuses);
    }
    const statuses = sent.map((one, at) =>
      reader.choice(
        one,
        journeyStatuses,
        Array.isArray(status) ? `${pointer}/status/${String(at)}` : `${pointer}/status`,
      ),
    );
    const known = statuses.filter((one) => one !== null);
    if (templateId === null || known.length < statuses.length) return null;
    return { leaf: 'journey', templateId, statuses: known };
  },
  consent(reader, body, pointer) {
    reader.only(body, ['channel', 'status'], pointer);
    const channel = reader.choice(body['channel'], channels, `${pointer}/channel`);
    const statuses = ['never', 'pending', 'subscribed', 'unsubscribed'] as const;
    const status = reader.choice(body['status'], statuses, `${pointer}/status`);
    return channel && status ? { leaf: 'consent', channel, status } : null;
  },
  topic_consent(reader, body, pointer) {
    reader.only(body, ['topic_id', 'channel', 'status'], pointer);
    const topicId = reader.id(body['topic_id'], `${pointer}/topic_id`);
    const channel = reader.choice(body['channel'], channels, `${pointer}/channel`);
    const statuses = ['subscribed', 'unsubscribed'] as const;
    const status = reader.choice(body['status'], statuses, `${pointer}/status`);
    if (topicId === null || channel === null || status === null) return null;
    return { leaf: 'topic_consent', topicId, channel, status };
  },
  random(reader, body, pointer) {
    reader.only(body, ['percent', 'salt'], pointer);
    const { percent } = body;
    const salt = reader.text(body['salt'] ?? 'onward', `${pointer}/salt`);
    if (typeof percent !== 'number' || !(percent >= 0 && percent <= 100)) {
      return reader.refuse(`${pointer}/percent`, 'range', 'A number from 0 to 100.', [0, 100]);
    }
    return salt === null ? null : { leaf: 'random', percent, salt };
  },
};

function withinOf(reader: Reader, { within }: Json, pointer: string) {
  return optional(within, (sent) => reader.duration(sent, `${pointer}/within`));
}

/** Undefined if no value is sent, null if the value cannot be read. */
function optional<T>(sent: unknown, read: (sent: unknown) => T | null): T | null | undefined {
  return sent === undefined ? undefined : read(sent);
}
