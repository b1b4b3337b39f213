import { describe, expect, test } from '@jest/globals';
import { removedMarkup, sanitizeMarkup } from '../../src/platform/content/html.ts';
import { languageAttributes } from '../../src/platform/content/language-attributes.ts';
import { textOfMarkup } from '../../src/platform/content/text-part.ts';

// Public bug reports about the HTML, the text part and the direction of e-mails.

const clean = (html: string) => sanitizeMarkup(html, { liquid: true });
const namesIn = (html: string) => removedMarkup(html).map(({ kind, name }) => `${kind} ${name}`);

describe('the text part', () => {
  test.each<[report: string, html: string, text: string]>([
    [
      'andris9/nodemailer-html-to-text#2',
      '<table><tr><td>... some text</td></tr><tr><td>More text....</td></tr></table>',
      '... some text\nMore text....',
    ],
    [
      'EratoLab/erato#955',
      '<table><tr><th>Name</th><th>Age</th></tr><tr><td>Ada</td><td>36</td></tr></table>',
      'Name | Age\nAda | 36',
    ],
    [
      'bdurand/html_to_plain_text#25',
      '<table role="presentation" border="0"><tbody><tr><td><table role="presentation"><tbody><tr><td><p>We published your fundraiser.</p></td></tr></tbody></table></td></tr></tbody></table>',
      'We published your fundraiser.',
    ],
    [
      'Alir3z4/html2text#370',
      '<table><tr><td><table><tr><td>foo</td></tr></table></td></tr></table>',
      'foo',
    ],
    [
      'premailer/premailer#110',
      '<!--[if !mso]><style>v\\:* {behavior:url(#default#VML);}</style><![endif]-->a',
      'a',
    ],
    [
      'premailer/premailer#119',
      '<table><tbody><tr><td><a href="http://bank.example/">Activate account\n</a></td></tr></tbody></table>',
      'Activate account (http://bank.example/)',
    ],
    [
      'premailer/premailer#72',
      '<p>\n This is <a href="http://bank.example/1" >link1</a> and <a href="http://bank.example/2" >link2 </a> is next.\n</p>',
      'This is link1 (http://bank.example/1) and link2 (http://bank.example/2) is next.',
    ],
    [
      'premailer/premailer#72 (headings)',
      '<h1><a href="http://bank.example/">News</a></h1><p>x</p>',
      'News (http://bank.example/)\n\nx',
    ],
    [
      'premailer/premailer#149',
      '<a href="https://bank.example/r?a=1&amp;b=2" target="_blank">\n<img src="https://bank.example/i.jpg" alt="Deadline ends" title="Deadline" border="0" style="display: block;">\n</a>',
      'Deadline ends (https://bank.example/r?a=1&b=2)',
    ],
    [
      'mtibben/html2text#67',
      '<header><img src="/img/b.jpg" alt="Keyboard"/><h1><a href="https://bank.example/">News</a></h1></header>',
      'Keyboard\n\nNews (https://bank.example/)',
    ],
    [
      'soundasleep/html2text_ruby#5',
      `<div style="display:none">Welcome!${'&zwnj;&nbsp;'.repeat(30)}</div><p>Hello</p>`,
      'Welcome!\n\nHello',
    ],
    [
      'jugglerchris/rust-html2text#134',
      `<span style="display:none">Welcome!${'\u00AD\u034F \u200C &nbsp;\n'.repeat(30)}</span><p>Hello</p>`,
      'Welcome!\n\nHello',
    ],
    [
      'html-to-text/node-html-to-text#117, roundcube/roundcubemail#8059',
      '<ol start="1"><li>item1</li></ol><ol start="2"><li>item2</li></ol>',
      '1. item1\n\n2. item2',
    ],
    ['mtibben/html2text#120', '<ol><li>Item 1</li><li>Item 2</li></ol>', '1. Item 1\n2. Item 2'],
    ['html-to-text/node-html-to-text#44', '<wbr>n'.repeat(2_000), 'n'.repeat(2_000)],
    ['Fergana-Labs/stash#656', '<html><head><title>My title</title></head><body><p>Hi</p>', 'Hi'],
  ])('%s', (_, html, text) => {
    expect(textOfMarkup(clean(html))).toBe(text);
  });

  test('vladimiry/ElectronMail#327, jugglerchris/rust-html2text#54: deep and wide tables', () => {
    const deep = `${'<table><tr><td>a</td><td>'.repeat(80)}b`;
    expect(textOfMarkup(clean(deep))).toContain('b');
    const wide = `<table><tr>${'<th colspan="1000" rowspan="1000">a</th>'.repeat(900)}</tr></table>`;
    expect(textOfMarkup(clean(wide)).length).toBeLessThan(10_000);
  });
});

describe('markup that stays', () => {
  test.each<[report: string, html: string]>([
    ['roundcube/roundcubemail#7911', '<table style="margin:0 auto;width:600px"></table>'],
    ['mganss/HtmlSanitizer#132', '<p style="font:bold 12px/30px Georgia, serif">a</p>'],
    ['mganss/HtmlSanitizer#285', '<p style="background:#fff;border-spacing:0">a</p>'],
    ['mozilla/bleach#152', '<div style="background-image:url(\'foo\')"></div>'],
    [
      'angular/angular#15836',
      '<div style="background-image:url(https://bank.example/?src=a.png)"></div>',
    ],
    [
      'odoo/odoo#83304',
      '<div style="background-image:url(&quot;https://bank.example/a.png&quot;)"></div>',
    ],
    [
      'linagora/tmail-flutter#4591',
      '<a aria-hidden="true" style="float:left;margin-left:-20px"></a>',
    ],
    [
      'TRC-Loop/Pelton#431',
      '<p dir="rtl" style="direction:rtl;unicode-bidi:embed;text-align:right">א</p>',
    ],
    [
      'mganss/HtmlSanitizer#28 and #209, leizongmin/js-xss#221, apostrophecms/sanitize-html#443',
      '<a href="mailto:a@bank.example">a</a><a href="tel:+4930123456">b</a><a href="sms:+4930123456">c</a>',
    ],
    ['roundcube/roundcubemail#8059', '<ol start="3" reversed><li value="2">a</li></ol>'],
  ])('%s', (_, html) => {
    expect(clean(html)).toBe(html);
    expect(removedMarkup(html)).toEqual([]);
  });
});

describe('markup that is removed and named', () => {
  test.each<[report: string, html: string, cleaned: string, names: string[]]>([
    [
      'OWASP/java-html-sanitizer#14',
      '<div style="color: red; width: expression(alert(\'XSS\'))">a</div>',
      '<div style="color:red">a</div>',
      ['style width'],
    ],
    [
      'cure53/DOMPurify#618',
      '<div style="background-image: url(javascript:alert(\'XSS\')); padding-top: 50px"></div>',
      '<div style="padding-top:50px"></div>',
      ['style background-image'],
    ],
    [
      'ProtonMail/WebClients#523, nextcloud/mail#5189',
      '<style>ul { list-style-image: url(https://evil.example/a.png) }</style>a',
      'a',
      ['element style'],
    ],
    [
      'mganss/HtmlSanitizer#525, cure53/DOMPurify#777',
      '<h1>Hello</h1><!-- Normal --><!--[if mso]><table><tr><td>Outlook</td></tr></table><![endif]-->',
      '<h1>Hello</h1>',
      ['comment [if mso]'],
    ],
    [
      'freescout-help-desk/freescout#5068',
      '<!--[if mso]><v:roundrect></v:roundrect><![endif]--><!--[if !mso]><!-- --><p>Accept</p><!--<![endif]-->',
      '<p>Accept</p>',
      ['comment [if mso]'],
    ],
    [
      'nextcloud/mail#13425, mganss/HtmlSanitizer#537',
      '<![if !mso]>Shown<![endif]><![if mso | IE]><p>too</p><![endif]>',
      'Shown<p>too</p>',
      [],
    ],
    [
      'bootstrap-email/bootstrap-email#265',
      '<p style="margin-bottom:\r\n 2.0pt;">text</p>',
      '<p style="margin-bottom:2.0pt">text</p>',
      [],
    ],
    [
      'cozy/cozy-emails#358',
      '<table background="javascript:alert(1)"><tr><td>a</td></tr></table>',
      '<table><tr><td>a</td></tr></table>',
      ['address javascript:alert(1)'],
    ],
  ])('%s', (_, html, cleaned, names) => {
    expect(clean(html)).toBe(cleaned);
    expect(namesIn(html)).toEqual(names);
  });
});

test.each([
  ['mjmlio/mjml#689', 'ar', 'rtl'],
  ['tc39/proposal-intl-locale-info#53', 'az-Arab', 'rtl'],
  ['tc39/proposal-intl-locale-info#53', 'az-IR', 'rtl'],
  ['yschimke/compose-ai-tools#3502', 'sd-Deva', 'ltr'],
  ['yschimke/compose-ai-tools#3502', 'ar-Latn', 'ltr'],
  ['annexare/Countries#187', 'ku', 'ltr'],
  ['annexare/Countries#187', 'ha-Arab', 'rtl'],
])('%s: %s is written %s', (_, locale, direction) => {
  expect(languageAttributes(locale)).toBe(`lang="${locale}" dir="${direction}"`);
});
