import fc from 'fast-check';

/** Pieces that are expensive for parsers, patterns and renderers in large numbers. */
const units = [
  ...['a', '0', '9', '-', '.', '@', 'a.', 'a@', 'a@b.', '://', 'http://a.', '/', '../', '?a&'],
  ...['%', '%41', '&', '&amp;', '&#', '<', '>', '<a ', '<a href="x">', '<div>', '<b>', '<!--'],
  ...['<p style="color:red;', '<table><tr><td>', '<img src=x onerror=y>', '</', '{{', '}}', '{%'],
  ...['{{ a }}', '{{ contact.first_name }}', '{% if a %}', '{% if a %}b{% endif %}', '{{ a | '],
  ...['{{ "x" | append: "yyyyyyyy" }}', '{% case a %}{% when 1 %}{% endcase %}', '{{ a.a.a.a }}'],
  ...[
    '<p style="a:b">',
    'color:a;',
    'margin:1111111111 ',
    '/*',
    '&amp;&amp;',
    ' b',
    ' b=c',
    '<!---->',
  ],
  ...[
    '<a href=https://a.example/x class=a style="color:red">&amp;</a>',
    '</b>',
    '<dd><dt>',
    '<svg>',
  ],
  ...[
    ' and a',
    ' or a contains "b"',
    ' | append: a',
    ' | truncatewords: 999',
    ' | money: "EUR" | number: 2',
    '{% for a in b %}',
    '{% for a in b %}{{ a }}{% endfor %}',
    '{{a}}',
    '.a',
    '[a]',
  ],
  ...[
    '{{ a | date: "%A %B" }}',
    '{{ a | truncatewords: 999 }}',
    '{{ a | default: b }}',
    '"a",',
    '""',
  ],
  ...['a{color:red}', 'a{b:c}', '@media (width:1px){', 'a>b,', ':hover', '[class=a]'],
  ...['**', '> ', '](', '--a\r\n', 'xn--', '1e9', 'e\u0301', '\ufdfa', '\u1100\u1161'],
  ...['(', '(a', 'a|', '[', '[[', '{', '}', '"', "'", '\\', ' ', '\t', '\n', '\r\n', ',', ';', ':'],
  ...['=', '+', '*', '.*', '\u0000', '\u0301', '\u202e', '😀', 'ﷺ', 'İ', '\u2028', '_', '1,', 'a;'],
  ...[
    '2026-01-01T00:00:00Z',
    'Europe/',
    'en-',
    '00000000-0000-4000-8000-000000000000',
    'or ',
    'x=1&',
  ],
];

/** The text around them. */
const frames: readonly (readonly [string, string])[] = [
  ...[['', ''] as const, ['', ''] as const, ['', '!'] as const, ['a@', ''] as const],
  ...[['https://', ''] as const, ['https://a.example/', ''] as const, ['+1', ''] as const],
  ...[['{{ ', ' }}'] as const, ['{% if ', ' %}x{% endif %}'] as const, ['{{ "', '" }}'] as const],
  ...[
    ['<p ', '>x</p>'] as const,
    ['{{ a', ' }}'] as const,
    ['{% if a', ' %}x{% endif %}'] as const,
  ],
  ...[['<style>', '</style>'] as const, ['<style>a', '{color:red}</style>'] as const],
  ...[['<a href="', '">'] as const, ['<p style="', '">x</p>'] as const, ['<', '>'] as const],
];

/** Liquid sources with a high cost in few characters. */
const greedy = [
  "{{ 'now' | date: '%999999999d' }}",
  "{{ 'now' | date: '%0999999N' }}",
  '{{ "x" | truncatewords: 999999999 }}',
  '{{ 999999999 | times: 999999999 | times: 999999999 }}',
  '{{ 1 | divided_by: 0.000000000000000001 | round: 999999999 }}',
  '{% for a in b %}{% for a in b %}{% for a in b %}<i>x</i>{% endfor %}{% endfor %}{% endfor %}',
  '{{ "x" | append: "x" | append: "x" | url_encode | url_encode | upcase | capitalize }}',
];

export interface HostileText {
  name: string;
  /** As many characters, or a little fewer. */
  make(length: number): string;
}

const repeated = fc
  .tuple(fc.constantFrom(...units), fc.constantFrom(...frames))
  .map(([unit, [before, after]]): HostileText => ({
    name: JSON.stringify(`${before}${unit}…${after}`),
    make(length) {
      const room = Math.max(0, length - before.length - after.length);
      return `${before}${unit.repeat(Math.floor(room / unit.length))}${after}`;
    },
  }));

const greedyText = fc.constantFrom(...greedy).map((source): HostileText => ({
  name: JSON.stringify(source),
  make: (length) => source.repeat(Math.max(1, Math.floor(length / source.length))),
}));

export const hostileText = fc.oneof(
  { weight: 8, arbitrary: repeated },
  { weight: 1, arbitrary: greedyText },
);
