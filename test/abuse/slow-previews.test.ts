import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { useWatchedApi } from './cost/use-watched-api.ts';

// Content of one team holds up no request of another.

const cost = useWatchedApi('slow previews');

const blocks = '/v2/partner/content-blocks';

async function post(path: string, name: string, body: object) {
  const headers = {
    Authorization: `Bearer ${cost.team.token}`,
    'Content-Type': 'application/json',
  };
  const raw = JSON.stringify(body);
  const { status, text } = await cost.judge.expectCheap({
    name,
    method: 'POST',
    path,
    headers,
    raw,
  });
  return { status, body: JSON.parse(text) };
}
const preview = (name: string, html: string, data: object = {}) =>
  post(`${blocks}/preview`, name, { kind: 'html', body: { html }, data });

const attributes = (count: number) =>
  Array.from({ length: count }, (_, at) => `a${String(at)}`).join(' ');

/** Each took up to a second, several times in a request. */
const tooMuch: readonly [limit: string, html: string][] = [
  ['3,000 elements', '<p style="a:b">'.repeat(11_000)],
  ['2,048 characters in one style', `<p style="${'a:b;'.repeat(63_000)}">x</p>`],
  ['50 attributes in one element', `<p ${attributes(35_000)}>x</p>`],
  ['8,000 attributes', `<p ${attributes(50)}>`.repeat(500)],
  ['250 elements within each other', '<b>'.repeat(1_000) + '</i>'.repeat(10_000)],
  ['12,000 characters < and &', '&amp;'.repeat(50_000)],
];

describe('others do not wait while a team sends markup without end', () => {
  test.each(tooMuch)('of more than %s', async (limit, html) => {
    const detail = `The HTML is not accepted: it has more than ${limit}.`;
    const shown = await preview(limit, html);
    expect(shown.status).toBe(422);
    expect(shown.body.errors).toMatchObject([
      { code: 'validation_failed', detail, meta: { pointer: '/body/html', rule: 'html' } },
    ]);
    const block = { key: `k-${randomUUID()}`, name: 'B', kind: 'html', body: { html } };
    expect((await post(blocks, limit, block)).status).toBe(422);
  });
});

describe('others do not wait while a team sends Liquid that is slow to analyze', () => {
  test.each([
    ['a long condition', `{% if a${' and a'.repeat(2_500)} %}x{% endif %}`, 422],
    ['many variables', `{% if a${' and b'.repeat(1_300)} %}x{% endif %}`, 200],
    ['many different variables', '{{ a.b }}'.replace('b', 'b.c'.repeat(900)), 200],
    ['many dates', `{{ 'now'${" | date: '%A %B'".repeat(480)} }}`, 422],
    ['outputs in a long text', `{{ contact.first_name }}${'x '.repeat(300)}`.repeat(320), 200],
  ])('%s', async (name, html, status) => {
    expect((await preview(name, html)).status).toBe(status);
  });
});

/** The list `contact.tags` has as many items as a body may have. */
const aLongList = {
  contact: { tags: Array.from({ length: 9_000 }, (_, at) => `t${String(at)}`.padEnd(200, 'x')) },
};
const loops = (count: number, body: string): string =>
  count === 0 ? body : `{% for a in contact.tags %}${loops(count - 1, body)}{% endfor %}`;

describe('others do not wait while a team renders long lists', () => {
  test.each([
    ['as text', '{{ contact.tags }}'.repeat(250), 200],
    ['as text that is filtered', '{{ contact.tags | upcase | append: "x" }}'.repeat(150), 200],
    ['joined', '{{ contact.tags | join: "," }}'.repeat(250), 422],
    [
      'searched',
      `{% if a == "b"${' or contact.tags contains "x"'.repeat(250)} %}y{% endif %}`,
      200,
    ],
    [
      'searched for what it has',
      '{% if contact.tags contains "t999" %}y{% endif %}'.repeat(150),
      200,
    ],
    [
      'by their places',
      Array.from({ length: 300 }, (_, at) => `{{contact.tags[${String(at)}]}}`).join(''),
      200,
    ],
    ['in a loop', loops(1, '{{ a }}'), 422],
    ['in a loop that is empty', loops(1, ''), 200],
    ['in a loop with elements', loops(1, '<b a=b>x</b>'), 200],
    ['in loops within each other', loops(9, ''), 422],
    ['in loops one after another', loops(1, '').repeat(150), 422],
  ])('%s', async (name, html, status) => {
    expect((await preview(name, html, aLongList)).status).toBe(status);
  });
});

/** A newsletter of tables, as programs for e-mail write them. */
function newsletter(length: number, salt = ''): string {
  const row =
    `<tr><td width="50%" valign="top" style="padding: 10px 20px; font-family: Arial, sans-serif; ` +
    `font-size: 14px; line-height: 20px; color: #333333;"><a href="https://example.com/${salt}?a=1` +
    `&amp;b=2" style="color: #0066cc; text-decoration: none;">Offer</a><br>Hello, this is what ` +
    `you can do next with your new account, in three steps that take a minute.</td></tr>`;
  return `<table width="600"><tbody>${row.repeat(Math.floor(length / row.length))}</tbody></table>`;
}

test('a newsletter of 250 KB is accepted, with its styles and links', async () => {
  const html = `<p>Hello {{ contact.first_name }}</p>${newsletter(250_000)}`;
  const { status, body } = await preview('newsletter', html);
  expect(status).toBe(200);
  expect(body.html).toContain('<p>Hello Ada</p>');
  expect(body.html).toContain('style="color:#0066cc;text-decoration:none"');
  expect(body.html.match(/<td /g)).toHaveLength(newsletter(250_000).match(/<td /g)?.length ?? 0);
});

test('others get a turn between the previews of a team that sends four together', async () => {
  const rounds: number[] = [];
  for (let round = 0; round < 4; round += 1) {
    await cost.watched.blockedMs();
    const replies = await Promise.all(
      [1, 2, 3, 4].map((at) =>
        fetch(`${cost.watched.url()}${blocks}/preview`, {
          method: 'POST',
          headers: {
            Authorization: `Bearer ${cost.team.token}`,
            'Content-Type': 'application/json',
          },
          body: JSON.stringify({
            kind: 'html',
            body: { html: newsletter(120_000, `${String(round)}/${String(at)}`) },
          }),
        }),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    rounds.push(await cost.watched.blockedMs());
  }
  // The least of them: a busy machine makes the others longer.
  expect(Math.min(...rounds)).toBeLessThanOrEqual(50);
});
