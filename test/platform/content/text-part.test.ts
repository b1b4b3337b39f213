import { describe, expect, test } from '@jest/globals';
import { sanitizeMarkup } from '../../../src/platform/content/html.ts';
import { textOfMarkup } from '../../../src/platform/content/text-part.ts';

const textOf = (html: string, preheader?: string) =>
  textOfMarkup(sanitizeMarkup(html, { liquid: false }), preheader);

const link = (label: string) => `<a href="https://bank.example/a">${label}</a>`;

describe('the text of markup', () => {
  test.each<[name: string, html: string, text: string]>([
    [
      'separates the cells of a data table',
      '<table><tr><th>Account</th><td>0012</td><td>34</td></tr></table>',
      'Account | 0012 | 34',
    ],
    [
      'separates the cells of a layout table',
      '<table><tr><td>Balance</td><td>1,234.00</td></tr><tr><td>Fee</td><td>5.00</td></tr></table>',
      'Balance  1,234.00\nFee  5.00',
    ],
    [
      'keeps values in their columns where cells are empty or span others',
      '<table><caption>May</caption><thead><tr><th>Date</th><th>Debit</th><th>Credit</th></tr></thead>' +
        '<tr><td rowspan="2">1 May</td><td></td><td>50.00</td></tr><tr><td>4.00</td><td></td></tr>' +
        '<tr><td colspan="2">Total</td><td>46.00<br>EUR</td></tr></table>',
      'May\nDate | Debit | Credit\n1 May |  | 50.00\n | 4.00\nTotal |  | 46.00 EUR',
    ],
    [
      'shows no separators in tables for layout',
      '<table role="presentation"><tbody><tr><td></td><td><table><tbody><tr><th>Hello</th></tr></tbody></table></td></tr></tbody></table>',
      'Hello',
    ],
    [
      'gives long cells side by side lines of their own',
      `<table><tr><td>${'left '.repeat(20)}</td><td>${'right '.repeat(20)}</td></tr></table>`,
      `${'left '.repeat(20).trim()}\n${'right '.repeat(20).trim()}`,
    ],
    ['separates terms', '<dl><dt>IBAN</dt><dd>DE02</dd><dd>DE03</dd></dl>', 'IBAN\n  DE02\n  DE03'],
    [
      'numbers nested lists',
      '<ol start="3"><li>a<ul><li>x</li><li>y</li></ul></li><li value="9">b</li><li>c</li></ol>',
      '3. a\n   - x\n   - y\n9. b\n10. c',
    ],
    ['numbers items by letters', '<ol type="a"><li>x</li><li>y</li></ol>', 'a. x\nb. y'],
    ['counts a reversed list down', '<ol reversed><li>x</li><li>y</li></ol>', '2. x\n1. y'],
    [
      'ends paragraphs',
      '<h1>Hi</h1>one<p>two</p><hr>three<br>four<br><br>five',
      'Hi\n\none\n\ntwo\n\n----------\n\nthree\nfour\n\nfive',
    ],
    ['quotes', '<blockquote>a<br>b<blockquote>c</blockquote></blockquote>', '> a\n> b\n\n> > c'],
    ['keeps spaces of pre', '<pre>a  b\n   c\n\n\nd</pre>e  f', 'a  b\n   c\n\nd\n\ne f'],
    [
      'names the pictures of links, and their addresses',
      `${link('<img src="https://bank.example/a.png" alt="Offer">')}${link('<img src="https://bank.example/b.png" alt="">')}`,
      'Offer (https://bank.example/a) https://bank.example/a',
    ],
    [
      'separates pictures from words',
      '<p>a<img src="https://bank.example/a.png" alt="Logo">b</p>',
      'a Logo b',
    ],
    [
      'separates links',
      `${link('One')}${link('Two')}, or.`,
      'One (https://bank.example/a) Two (https://bank.example/a), or.',
    ],
    [
      'shows an address once',
      'Write to <a href="mailto:ada@bank.example">ada@bank.example</a>, see <a href="https://bank.example/">bank.example</a> <a href="#top">up</a>.',
      'Write to ada@bank.example, see bank.example up.',
    ],
    [
      'adds the address of a link around blocks to its text',
      `<div>${link('<table><tr><td>Pay</td></tr></table>')}now</div>`,
      'Pay (https://bank.example/a)\n\nnow',
    ],
    [
      'separates elements by their style',
      '<span style="display:block">A</span><span style="display: block">B</span><b style="display:inline-block">C</b><b style="display:inline-block">D</b>',
      'A\nB\nC D',
    ],
    [
      'keeps the digits of footnotes apart',
      'At 3.5%<sup>12</sup> for H<sub>2</sub>O, the 1<sup>st</sup>',
      'At 3.5%¹² for H₂O, the 1st',
    ],
    ['decodes entities', '<p>A &amp; B &lt;c&gt; &euro;&nbsp;5 &#39;</p>', "A & B <c> € 5 '"],
    [
      'keeps joiners in words',
      'می\u200cخواهم \u200c\u00a0\u200c \u{1f468}\u200d\u{1f469}',
      'می\u200cخواهم \u{1f468}\u200d\u{1f469}',
    ],
    ['writes no item without text', '<ul><li></li><li>a</li></ul>b', '- a\n\nb'],
    [
      'separates the fields of a form',
      '<div>a<section>b</section></div><center>c</center>',
      'a\nb\nc',
    ],
  ])('%s', (_, html, text) => {
    expect(textOf(html)).toBe(text);
  });
});

describe('the beginning of a text', () => {
  const filler = '&zwnj;&nbsp;&#847;&nbsp;'.repeat(20);
  const hidden = `<div style="display:none">Your code${filler}</div>`;

  test.each<[name: string, html: string, preheader: string | undefined, text: string]>([
    ['is the preheader', '<p>Hello</p>', 'Your code', 'Your code\n\nHello'],
    ['is hidden markup', `${hidden}<p>Hello</p>`, undefined, 'Your code\n\nHello'],
    ['is written once', `${hidden}<p>Hello</p>`, 'Your card', 'Your card\n\nHello'],
    ['is not hidden markup of other places', `<p>Hello</p>${hidden}`, undefined, 'Hello'],
    ['is the first hidden markup only', hidden + hidden, undefined, 'Your code'],
  ])('%s', (_, html, preheader, text) => {
    expect(textOf(html, preheader)).toBe(text);
  });
});

test('a text is never much longer than its markup', () => {
  const lists = `${'<ol><li>'.repeat(25)}<pre>${'x\n'.repeat(10_000)}</pre>`;
  expect(textOf(lists).length).toBeLessThan(lists.length * 12);
  const columns = `<tr>${'<th rowspan="1000" colspan="1000">a</th>'.repeat(900)}</tr>`;
  const table = `<table>${columns}${'<tr><td>b</td></tr>'.repeat(900)}</table>`;
  expect(textOf(table).length).toBeLessThan(table.length * 4);
});
