import { describe, expect, test } from '@jest/globals';
import {
  liquidProblem,
  renderHtml,
  renderText,
  variablesOf,
} from '../../../src/platform/content/liquid.ts';
import type { Value } from '../../../src/platform/content/liquid.ts';

const known: Readonly<Record<string, Value>> = {
  'contact.first_name': 'Ada',
  'contact.tags': ['prospect', 'not-vip'],
  'contact.timezone': 'America/New_York',
  'contact.attributes.none': [],
  'contact.attributes.due': '2026-02-01',
  'contact.attributes.cents': 199_900,
  'contact.attributes.zero': 0,
  'contact.attributes.word': 'soon',
  'contact.attributes.markup': ['<b>', '&'],
  'template.deadline_at': '2026-02-01T04:59:00.000Z',
};
const newYork = { locale: 'en-US', timezone: 'America/New_York', currency: 'USD' };

/** A text as a reader gets it. */
const shown = (source: string, reader: Partial<typeof newYork> = {}) =>
  renderText(source, { ...newYork, ...reader, read: (path) => known[path] });

describe('a list', () => {
  test.each([
    ['{% if contact.tags contains "pro" %}yes{% else %}no{% endif %}', 'no'],
    ['{% if contact.tags contains "vip" %}yes{% else %}no{% endif %}', 'no'],
    ['{% if contact.tags contains "prospect" %}yes{% else %}no{% endif %}', 'yes'],
    ['{{ contact.tags }}', 'prospect, not-vip'],
    ['{{ contact.tags | upcase }}', 'PROSPECT, NOT-VIP'],
    ['{{ contact.tags | append: "!" }}', 'prospect, not-vip!'],
    ['{{ "tags: " | append: contact.tags }}', 'tags: prospect, not-vip'],
    ['{{ contact.tags | join: " and " }}', 'prospect and not-vip'],
    ['{{ contact.tags | join }}', 'prospect not-vip'],
    ['{{ contact.tags | size }}', '2'],
    ['{{ contact.tags.size }}', '2'],
    ['{{ contact.tags | first }}/{{ contact.tags | last }}', 'prospect/not-vip'],
    ['{{ contact.tags.first }}/{{ contact.tags[1] }}/{{ contact.tags[9] }}', 'prospect/not-vip/'],
    ['{{ contact.tags }}{{ contact.tags.size }}', 'prospect, not-vip2'],
    [
      '{% for tag in contact.tags %}{{ forloop.index }}{{ tag }};{% endfor %}',
      '1prospect;2not-vip;',
    ],
    ['{% for tag in contact.tags reversed limit: 1 %}{{ tag }}{% endfor %}', 'prospect'],
    ['{% for tag in contact.attributes.none %}x{% else %}none{% endfor %}', 'none'],
    ['{{ contact.attributes.none | default: "none" }}', 'none'],
    ['{{ contact.attributes.none }}', ''],
    ['{% if contact.tags == empty %}none{% else %}some{% endif %}', 'some'],
    ['{{ contact.attributes.missing.size }}{{ contact.attributes.missing }}', ''],
  ])('%s is %j', (source, text) => {
    expect(liquidProblem(source)).toBeUndefined();
    expect(shown(source)).toBe(text);
  });

  test('has no markup in HTML', () => {
    const html = (source: string) =>
      renderHtml(source, { ...newYork, read: (path) => known[path] });
    expect(html('{{ contact.attributes.markup }}')).toBe('&lt;b&gt;, &amp;');
    expect(html('{{ contact.attributes.markup | first }}')).toBe('&lt;b&gt;');
    expect(html('{% for one in contact.attributes.markup %}{{ one }}{% endfor %}')).toBe(
      '&lt;b&gt;&amp;',
    );
  });

  test('is named by its variable alone, not by that of a loop', () => {
    const source = '{% for tag in contact.tags %}{{ tag }}{{ forloop.last }}{% endfor %}';
    expect(variablesOf(source)).toEqual(['contact.tags']);
  });
});

describe('a time', () => {
  const deadline = '{{ template.deadline_at | date: ';
  test.each([
    [`${deadline}"%B %-d, %H:%M" }}`, {}, 'January 31, 23:59'],
    [`${deadline}"%B %-d" }}`, { timezone: 'Europe/Berlin' }, 'February 1'],
    [`${deadline}"%-d. %B %Y" }}`, { locale: 'de-CH' }, '31. Januar 2026'],
    [`${deadline}"%A" }}`, { locale: 'pt-BR' }, 'sábado'],
    [`${deadline}"%-d %B" }}`, { locale: 'ru' }, '31 января'],
    [`${deadline}"%B" }}`, { locale: 'ru' }, 'январь'],
    [`${deadline}"%B" }}`, { locale: 'zh-Hant-TW' }, '1月'],
    [`${deadline}"%-d %B %Y" }}`, { locale: 'ar-SA' }, '31 يناير 2026'],
    [`${deadline}"%x" }}`, { locale: 'de' }, '31. Januar 2026'],
    [`${deadline}"%B %-d" }}`, { locale: 'xx' }, 'January 31'],
    [`${deadline}"%Y-%m-%d %H:%M", "UTC" }}`, {}, '2026-02-01 04:59'],
    [`${deadline}"%B %-d", contact.timezone }}`, { timezone: 'UTC' }, 'January 31'],
    [`${deadline}"%B %-d", contact.attributes.word }}`, {}, 'January 31'],
    [`${deadline}"%B %-d", contact.attributes.missing }}`, {}, 'January 31'],
    [`${deadline}"%H:%M", -60 }}`, {}, '05:59'],
    [`${deadline}"%Z %z %:z %s" }}`, {}, 'EST -0500 -05:00 1769921940'],
    [
      `${deadline}"%I:%M %p %l%P %e %j %U %W %u %w %y %C" }}`,
      {},
      '11:59 PM 11pm 31 031 04 04 6 6 26 20',
    ],
    [
      `${deadline}"%-d%q|%3N|%L|%^b|%#p|%10Y|%_5m|%%|%!" }}`,
      {},
      '31st|000|000|JAN|pm|0000002026|    1|%|%!',
    ],
    [`${deadline}"%-d%q" }}`, { locale: 'de' }, '31'],
    [
      '{{ contact.attributes.due | date: "%B %-d" }}',
      { timezone: 'Pacific/Honolulu' },
      'February 1',
    ],
    ['{{ "2026-02-01T00:30:00" | date: "%-d %H:%M" }}', {}, '1 00:30'],
    ['{{ "2026-02-01T00:30:00+09:00" | date: "%-d %H:%M" }}', {}, '31 10:30'],
    ['{{ "March 1, 2026" | date: "%Y-%m-%d" }}', {}, '2026-03-01'],
    ['{{ 1769921940 | date: "%-d %H:%M" }}', {}, '31 23:59'],
    ['{{ contact.attributes.word | date: "%Y" }}', {}, 'soon'],
    ['{{ contact.attributes.missing | date: "%Y" }}', {}, ''],
    ['{{ 9000000000000000 | date: "%Y" }}', {}, '9000000000000000'],
    // Clocks are set forward at 2 o'clock in New York.
    ['{{ "2026-03-08T07:30:00Z" | date: "%H:%M %Z" }}', {}, '03:30 EDT'],
    ['{{ "2026-03-08T06:30:00Z" | date: "%H:%M %Z" }}', {}, '01:30 EST'],
  ])('%s for %j is %j', (source, reader, text) => {
    expect(liquidProblem(source)).toBeUndefined();
    expect(shown(source, reader)).toBe(text);
  });
});

describe('an amount', () => {
  test.each([
    ['{{ contact.attributes.cents | money }}', {}, '$1,999.00'],
    ['{{ contact.attributes.cents | money: "EUR" }}', { locale: 'de-DE' }, '1.999,00 €'],
    ['{{ contact.attributes.cents | money: "eur" }}', { locale: 'fr' }, '1 999,00 €'],
    ['{{ 1999 | money }}', { currency: 'JPY', locale: 'en' }, '¥1,999'],
    ['{{ 1999 | money: "KWD" }}', { locale: 'en' }, 'KWD 1.999'],
    ['{{ "-5" | money: "USD" }}', {}, '-$0.05'],
    ['{{ 0.1 | plus: 0.2 | times: 100 | money }}', {}, '$0.30'],
    ['{{ contact.attributes.cents | money: contact.attributes.word }}', {}, ''],
    ['{{ contact.attributes.word | money }}', {}, 'soon'],
    ['{{ contact.attributes.missing | money }}', {}, ''],
    ['{{ 1234567.891 | number }}', {}, '1,234,567.891'],
    ['{{ 1234567.891 | number: 2 }}', { locale: 'de' }, '1.234.567,89'],
    ['{{ 1234.5 | number: 0 }}', { locale: 'pl' }, '1235'],
    ['{{ 1.005 | number: 2 }}', {}, '1.01'],
    ['{{ 1 | number: contact.attributes.word }}', {}, '1'],
    ['{{ 1 | number: 99 }}', {}, `1.${'0'.repeat(20)}`],
    ['{{ contact.attributes.word | number }}', {}, 'soon'],
  ])('%s for %j is %j', (source, reader, text) => {
    expect(liquidProblem(source)).toBeUndefined();
    expect(shown(source, reader).replaceAll(/[\u00a0\u202f]/g, ' ')).toBe(text);
  });
});

describe('a result that is no number is nothing', () => {
  test.each([
    ['{{ 1 | divided_by: contact.attributes.zero }}', ''],
    ['{{ contact.attributes.zero | divided_by: contact.attributes.zero }}', ''],
    ['{{ 1 | divided_by: contact.attributes.missing }}', ''],
    ['{{ 1 | divided_by: contact.attributes.zero | plus: 5 | round }}', ''],
    ['{{ 5 | minus: 1 | divided_by: contact.attributes.zero | default: "?" }}', '?'],
    ['{{ 1 | divided_by: contact.attributes.zero | append: "%" }}', '%'],
    ['{{ 1 | divided_by: contact.attributes.zero | money }}', ''],
    [`{{ 9${' | times: 1000000000'.repeat(40)} | number }}`, ''],
  ])('%s', (source, text) => {
    expect(liquidProblem(source)).toBeUndefined();
    expect(shown(source)).toBe(text);
  });
});

describe('Liquid is refused where it can never render', () => {
  const refused = 'a filter is given what it cannot take';
  test.each([
    ['{{ contact.email | date: "%Y", "No/Where" }}', refused],
    ['{{ 1 | divided_by: 0 }}', refused],
    ['{{ contact.attributes.cents | money: "EURO" }}', refused],
    ['{{ contact.attributes.cents | number: "two" }}', refused],
    ['{{ contact.email | append }}', refused],
    ['{% for i in (1..5) %}x{% endfor %}', 'it cannot be parsed (line 1, column 1)'],
    ['{% for i in "abc" %}x{% endfor %}', 'it cannot be parsed (line 1, column 1)'],
    ['{% for tag in contact.tags %}x', 'a tag or an output is not closed (line 1, column 1)'],
  ])('%s', (source, problem) => {
    expect(liquidProblem(source)).toBe(problem);
  });

  test.each([
    '{{ template.deadline_at | date: "%Y", contact.timezone }}',
    '{{ template.deadline_at | date: contact.attributes.format, contact.attributes.zone }}',
    '{{ contact.attributes.a | divided_by: contact.attributes.b | times: contact.attributes.c }}',
    '{{ contact.attributes.a | times: 1000 | plus: 1 | round: 2 | ceil | floor }}',
    '{{ contact.attributes.a | money: data.currency }}{{ data.total | number: data.places }}',
    '{{ contact.attributes.a | truncate: data.length, data.end }}',
    '{{ contact.attributes.a | truncatewords: data.length | url_encode | round: data.places }}',
    '{% for one in data.items %}{{ one | date: data.format, one | money: one }}{% endfor %}',
    '{% case contact.tags %}{% when data.tags %}a{% else %}b{% endcase %}',
  ])('but not where only its values could be wrong: %s', (source) => {
    expect(liquidProblem(source)).toBeUndefined();
    for (const value of [null, '', 'soon', 0, -1, 1e300, true, [], ['a'], '\ud800']) {
      const values = { ...newYork, read: () => value };
      expect(renderText(source, values)).not.toMatch(/NaN|Infinity|undefined|\[object/);
    }
  });
});

describe('loops use up what a text may', () => {
  const items = Array.from({ length: 50 }, (_, at) => `tag ${String(at)}`);
  const rendered = (source: string) => renderHtml(source, { ...newYork, read: () => items });

  test('a list of fifty tags is written', () => {
    const html = rendered('<ul>{% for tag in contact.tags %}<li>{{ tag }}</li>{% endfor %}</ul>');
    expect(html.match(/<li>/g)).toHaveLength(50);
  });

  const within = (depth: number): string =>
    depth === 0 ? '' : `{% for a in contact.tags %}${within(depth - 1)}{% endfor %}`;
  test.each([
    ['a long body', `{% for a in contact.tags %}${'<b>x</b>'.repeat(1_000)}{% endfor %}`],
    ['loops within each other', within(4)],
  ])('%s is refused', (_, source) => {
    expect(() => rendered(source)).toThrow(
      'The content is too costly to render, or a filter got an unsupported value.',
    );
  });
});
