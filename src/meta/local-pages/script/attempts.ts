import { element } from '../../../widget/script/dom.ts';
import {
  badge,
  codeBlock,
  facts,
  fullTimeOf,
  headerLines,
  httpBadge,
  timeOf,
  words,
} from './shown.ts';
import { rowOf, textOf } from './values.ts';
import type { Row } from './values.ts';

/** One attempt of a delivery, folded: when, what came back, and how long it took. */
export function attemptOf(attempt: Row, isOpen: boolean): HTMLElement {
  const number = textOf(attempt['number']);
  const error = words(textOf(attempt['error_code'])).replace('Http', 'HTTP');
  const headers = rowOf(attempt['response_headers']);
  const isCut = attempt['response_truncated'] === true;
  return element(
    'details',
    { class: 'attempt', open: isOpen },
    element(
      'summary',
      { 'data-key': number },
      `Attempt ${number}`,
      httpBadge(attempt['http_status']) || badge('failed', error),
      timeOf(attempt['requested_at']),
      `${textOf(attempt['duration_ms'])} ms`,
    ),
    ...facts(
      ['Error', error === '' ? '' : `${error}. ${textOf(attempt['error_detail'])}`],
      ['Sent', fullTimeOf(attempt['requested_at'])],
      ['To', `${textOf(attempt['url'])} ${textOf(attempt['remote_ip'])}`.trim()],
      ['Trigger', words(textOf(attempt['trigger']))],
      ['Next retry', fullTimeOf(attempt['next_attempt_at'])],
    ),
    ...codeBlock('Response headers', headerLines(headers)),
    ...codeBlock(isCut ? 'Response body, cut' : 'Response body', textOf(attempt['response_body'])),
  );
}
