import { element } from '../../../widget/script/dom.ts';
import type { Item, List } from './declared.ts';
import { startPage } from './page.ts';
import { codeBlock, copyable, facts, fullTimeOf, httpBadge, indented, timeOf } from './shown.ts';
import { rowsOf, textOf, textsOf } from './values.ts';
import type { Row } from './values.ts';

const errorLinks = (row: Row) =>
  element(
    'span',
    { class: 'links' },
    ...textsOf(row['error_codes'])
      .filter((code) => /^[a-z_]+$/.test(code))
      .map((code) => element('a', { href: `/docs/errors/${code}` }, code)),
  );

const line = (row: Row) =>
  element(
    'span',
    { class: 'path' },
    element('b', {}, textOf(row['method'])),
    ` ${textOf(row['path'])}`,
  );

const bytes = (value: unknown) =>
  typeof value === 'number' ? `${value.toLocaleString()} bytes` : '';

const request: Item = {
  opens: 'panel',
  params: [],
  operation: 'listRequests',
  // The log has it within a second.
  refreshMs: 3_000,
  query: (id) => ({ 'filter[request_id]': id, 'page[size]': '1' }),
  pick: (answer) => rowsOf(answer['data'])[0],
  title: (row) => `${textOf(row['method'])} ${textOf(row['path'])}`,
  status: (row) => httpBadge(row['status']),
  parts: [
    {
      title: '',
      draw: (row) => [
        ...facts(
          ['Request id', copyable(row['request_id'], 'the request id')],
          ['When', fullTimeOf(row['occurred_at'])],
          ['Operation', textOf(row['operation'])],
          ['Errors', textsOf(row['error_codes']).length > 0 ? errorLinks(row) : ''],
          ['Duration', `${textOf(row['duration_ms'])} ms`],
          ['Parameters', copyable(row['query'], 'the parameters')],
          ['Client', copyable(row['client_id'], 'the client id')],
          ['Address', textOf(row['source_ip'])],
          ['User agent', textOf(row['user_agent'])],
          ['Received', bytes(row['request_bytes'])],
          ['Sent', bytes(row['response_bytes'])],
        ),
        ...codeBlock('Request body', indented(row['request_body'])),
        ...codeBlock('Response body', indented(row['response_body'])),
      ],
    },
  ],
};

const requests: List = {
  name: 'requests',
  title: 'Requests',
  noun: 'request',
  operation: 'listRequests',
  refreshMs: 3_000,
  pageSize: 50,
  opensAs: (row) => textOf(row['request_id']),
  empty:
    'Your team has sent no request in the last seven days. Send one with your token, and it appears here within a second.',
  filters: [
    {
      name: 'which',
      label: 'Show',
      options: [
        ['', 'All requests'],
        ['refused', 'Refused (4xx and 5xx)'],
        ['writes', 'Writes'],
      ],
      query: (value) =>
        value === 'refused' ? { 'filter[status][gte]': '400' } : { 'filter[method][neq]': 'GET' },
    },
    { name: 'operation', label: 'Operation' },
    { name: 'request_id', label: 'Request id' },
  ],
  columns: [
    { title: 'Request', as: 'main', draw: line },
    { title: 'Status', as: 'status', draw: (row) => httpBadge(row['status']) },
    { title: 'When', isBare: true, draw: (row) => timeOf(row['occurred_at']) },
    { title: 'Operation', isBare: true, draw: (row) => textOf(row['operation']) },
    { title: 'Time', isBare: true, draw: (row) => `${textOf(row['duration_ms'])} ms` },
    {
      title: 'Errors',
      isBare: true,
      draw: (row) => (textsOf(row['error_codes']).length > 0 ? errorLinks(row) : ''),
    },
  ],
  item: request,
};

startPage(requests);
