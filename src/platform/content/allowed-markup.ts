import { isSafeReference, isSafeUrl } from '../schema/safe-url.ts';
import { optOutAttribute } from './links.ts';

/** The elements and attributes of HTML that recipients see. Their sanitizer drops all others. */
export const allowedElements = [
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'br', 'wbr', 'hr', 'div', 'span', 'center'],
  ...['section', 'article', 'aside', 'header', 'footer', 'main', 'nav', 'address'],
  ...['strong', 'b', 'em', 'i', 'u', 's', 'strike', 'del', 'ins', 'mark', 'small', 'big', 'font'],
  ...['sub', 'sup', 'abbr', 'cite', 'q', 'dfn', 'time', 'bdi', 'bdo'],
  ...['blockquote', 'pre', 'code', 'kbd', 'samp', 'var', 'tt'],
  ...['a', 'img', 'figure', 'figcaption', 'ul', 'ol', 'li', 'dl', 'dt', 'dd'],
  ...['table', 'caption', 'colgroup', 'col', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
];

/** Elements whose contents no reader sees as text: they are dropped with their contents. */
export const unseenElements = [
  ...['title', 'style', 'script', 'template', 'textarea', 'select', 'option', 'datalist'],
  ...['svg', 'math', 'xml', 'iframe', 'frameset', 'noembed', 'noframes'],
];

/** Elements around the content of a whole document, of which only `body` has a part that is seen. */
export const documentElements = ['html', 'head', 'body', 'meta', 'title'];

const cell = [
  ...['width', 'height', 'align', 'valign', 'bgcolor', 'background', 'colspan', 'rowspan'],
  ...['nowrap', 'abbr', 'scope'],
];
const rows = ['align', 'valign', 'bgcolor', 'height'];

/** By element; `*` is for all. */
export const allowedAttributes = {
  '*': [
    ...['class', 'style', 'title', 'lang', 'dir', 'align', 'role'],
    ...['aria-label', 'aria-hidden', 'aria-roledescription'],
  ],
  a: ['href', 'target', 'rel', optOutAttribute],
  img: ['src', 'alt', 'width', 'height', 'border', 'hspace', 'vspace'],
  table: [
    ...['width', 'height', 'border', 'cellpadding', 'cellspacing', 'bgcolor', 'background'],
    ...['bordercolor', 'valign', 'summary'],
  ],
  th: cell,
  td: cell,
  tr: rows,
  thead: rows,
  tbody: rows,
  tfoot: rows,
  col: ['span', 'width'],
  colgroup: ['span', 'width'],
  hr: ['color', 'size', 'width', 'noshade'],
  font: ['color', 'face', 'size'],
  ol: ['start', 'type', 'reversed'],
  ul: ['type'],
  li: ['type', 'value'],
  br: ['clear'],
  time: ['datetime'],
};

const attributesOf = new Map(
  Object.entries(allowedAttributes).map(([name, names]) => [name, new Set(names)]),
);

/** Whether an element keeps an attribute, apart from its value. */
export const isAllowedAttribute = (element: string, name: string): boolean =>
  attributesOf.get('*')?.has(name) === true || attributesOf.get(element)?.has(name) === true;

/** Whether the address in an attribute is safe; true for attributes without addresses. */
export function isSafeAttribute(element: string, name: string, value: string): boolean {
  if (name === 'href' && element === 'a') return isSafeReference(value.trim());
  const isImage = (name === 'src' && element === 'img') || name === 'background';
  return !isImage || isSafeImage(value.trim());
}

/** Whether the address of a picture is safe. A relative address is one of the page itself. */
export const isSafeImage = (url: string) =>
  isSafeReference(url) && (isSafeUrl(url, 'web') || !isSafeUrl(url, 'link'));
