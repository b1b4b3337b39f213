import { describe, expect, test } from '@jest/globals';
import { removedMarkup, sanitizeMarkup } from '../../../src/platform/content/html.ts';

const clean = (html: string) => sanitizeMarkup(html, { liquid: true });
const styled = (style: string) => `<td style="${style}">x</td>`;
const styleOf = (style: string) => /style="([^"]*)"/.exec(clean(styled(style)))?.[1];

describe('a style of e-mail templates', () => {
  test.each([
    'margin:0 auto',
    'margin:0 auto !important',
    'margin:.4em 0 1.1875em',
    'padding:6.25%',
    'font:bold 16px/1.5 Arial, sans-serif',
    'font:italic small-caps 700 1.2rem/normal &#39;Open Sans&#39;, Georgia',
    'font-family:-apple-system,BlinkMacSystemFont,Segoe UI,Roboto',
    'line-height:normal',
    'line-height:1.625',
    'min-width:320px',
    'max-width:calc(100% - 20px)',
    'height:30px',
    'background:#ffffff',
    'background:#222222 url(&#39;https://bank.example/bg.jpg&#39;) no-repeat center / cover',
    'background-image:url(https://bank.example/bg.png?a=1&amp;b=2)',
    'background:linear-gradient(90deg, rgba(0,0,0,.5), #fff 20%)',
    'color:rgb(10 20 30 / 50%)',
    'border:2px dashed #CBCCCF',
    'border-top:1px solid rgba(0,0,0,.08)',
    'border-collapse:collapse',
    'border-spacing:0px',
    'border-color:#EAEAEC',
    'border-radius:3px 3px 0 0',
    'box-shadow:0 2px 3px rgba(0, 0, 0, 0.16)',
    'text-decoration:underline dotted',
    'text-indent:2em',
    'word-break:break-word',
    'white-space:nowrap',
    'table-layout:fixed',
    'box-sizing:border-box',
    'overflow:hidden',
    'opacity:0',
    'visibility:hidden',
    'float:left',
    'direction:rtl',
    'list-style-type:disc',
    'vertical-align:middle',
    'display:inline-table',
    'mso-line-height-rule:exactly',
    'mso-padding-alt:12px 32px',
    'mso-hide:all',
    '-webkit-text-size-adjust:100%',
    '-ms-interpolation-mode:bicubic',
    'color-scheme:light dark',
    'color:{{ team.color }}',
  ])('stays: %s', (style) => {
    expect(styleOf(style)).toBe(style.replaceAll('&#39;', "'"));
    expect(removedMarkup(styled(style))).toEqual([]);
  });

  test.each([
    'position:fixed',
    'position:absolute;z-index:9',
    'background:url(javascript:alert(1))',
    'background:url(&quot;javascript:alert(1)&quot;)',
    'background-image:url(data:image/svg+xml,x)',
    'background:url(//evil.example/a.png)',
    'background:url( \\6aavascript:alert(1))',
    'width:expression(alert(1))',
    'width:e/**/xpression(alert(1))',
    'width:exp\\72 ession(alert(1))',
    'behavior:url(a.htc)',
    '-moz-binding:url(https://evil.example/a.xml)',
    'color:-moz-element(a)',
    'background:image-set(&quot;https://evil.example/a&quot; 1x)',
    'background:src(&quot;https://evil.example/a&quot;)',
    'transform:scale(90)',
    'content:attr(x)',
    '--x:red',
    'color:var(--x)',
    'filter:progid:DXImageTransform.Microsoft.Alpha(opacity=0)',
    'animation:a 1s',
    '@import url(https://evil.example/a.css)',
    'color:red}body{display:none',
    'font-family:&quot;a',
  ])('is removed: %s', (style) => {
    expect(styleOf(style)).toBeUndefined();
    expect(removedMarkup(styled(style)).map(({ kind }) => kind)).toContain('style');
  });

  test('a name in capitals and a comment do not matter', () => {
    expect(styleOf('COLOR: Red /* x */; ; margin:')).toBe('color:Red');
  });
});

describe('an element of e-mail templates', () => {
  test.each([
    '<mark>a</mark><del>b</del><ins>c</ins><font color="red" face="Arial" size="2">d</font>',
    '<td width="50%" height="20" align="center" valign="top" bgcolor="#fff" nowrap>x</td>',
    '<table width="600" border="0" cellpadding="0" cellspacing="0" align="center" role="presentation"></table>',
    '<table background="https://bank.example/a.png"></table>',
    '<colgroup><col span="2" width="50%" /></colgroup>',
    '<ol start="4" type="a" reversed><li value="3">x</li></ol>',
    '<abbr title="Annual percentage rate">APR</abbr>',
    '<a href="sms:+14155550100">a</a><a href="tel:+14155550100">b</a><a href="mailto:a@bank.example">c</a>',
  ])('stays: %s', (html) => {
    expect(clean(html)).toBe(html);
    expect(removedMarkup(html)).toEqual([]);
  });
});

describe('a whole document', () => {
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>My title</title>
    <style>.a { color: red }</style><!--[if mso]><xml><o:AllowPNG/></xml><![endif]--></head>
    <body bgcolor="#f4f4f4" style="margin:0">
    <!--[if mso]><table><tr><td>Outlook</td></tr></table><![endif]-->
    <!--[if !mso]><!--><p>Hi</p><!--<![endif]--><![if !mso]><p>you</p><![endif]></body></html>`;

  test('loses its head, and the body stays as an element', () => {
    expect(clean(html).replaceAll(/\s*\n\s*/g, '')).toBe(
      '<div style="background-color:#f4f4f4;margin:0"><p>Hi</p><p>you</p></div>',
    );
  });

  test('warns of the style sheet and of what only Outlook shows', () => {
    expect(removedMarkup(html)).toEqual([
      { kind: 'element', name: 'style', count: 1 },
      { kind: 'comment', name: '[if mso]', count: 2 },
    ]);
  });

  test('without an end of its head has its body', () => {
    expect(clean('<html><head><title>t</title><body>Hi')).toBe('<div>Hi</div>');
  });

  test.each([
    '<svg><title>a</title><text>b</text></svg>',
    '<template>a</template>',
    '<xml>a</xml>',
  ])('has no text of %s', (markup) => {
    expect(clean(`${markup}x`)).toBe('x');
  });
});

test('what was removed is listed once with its count', () => {
  const html =
    '<video src="a"></video><video></video><p onclick="x()" id="a">x</p><script>"<b id=c>"</script>' +
    '<a href="{{ x }}://y">z</a><p style="position:fixed;color:red">y</p>';
  expect(removedMarkup(html)).toEqual([
    { kind: 'element', name: 'video', count: 2 },
    { kind: 'attribute', name: 'p[onclick]', count: 1 },
    { kind: 'attribute', name: 'p[id]', count: 1 },
    { kind: 'element', name: 'script', count: 1 },
    { kind: 'address', name: '{{ x }}://y', count: 1 },
    { kind: 'style', name: 'position', count: 1 },
  ]);
  const many = Array.from({ length: 300 }, (_, at) => `<x-${String(at)}>`).join('');
  expect(removedMarkup(many)).toHaveLength(50);
});

test('clean markup has nothing to remove, and stays as it is', () => {
  const html = '<body onload="x()"><p style="a:b;color:red">x<svg></p><a href="javascript:1">y</a>';
  const once = clean(html);
  expect(clean(once)).toBe(once);
  expect(removedMarkup(once)).toEqual([]);
});
