import type { Command } from 'commander';
import { operations } from '../../../typescript/src/operations.ts';
import type { Operation } from '../../../typescript/src/operations.ts';
import { openFile } from '../../../typescript/src/node.ts';
import type { RequestOptions } from '../../../typescript/src/index.ts';
import {
  isObject,
  readCount,
  readData,
  readFields,
  readFilters,
  readJson,
  readPairs,
  readQuery,
} from '../arguments.ts';
import { findDocsUrl } from '../credentials.ts';
import { describeOperation } from '../help.ts';
import { columnsFor } from '../columns.ts';
import { UsageError } from '../failures.ts';
import { summaries } from '../generated/summaries.ts';
import type { Output } from '../output.ts';
import { openSession } from '../session.ts';
import type { GlobalOptions, Session, Terminal } from '../session.ts';

interface CallOptions {
  data?: string;
  filter?: string[];
  sort?: string;
  include?: string;
  query?: string[];
  limit?: string;
  count?: boolean;
  idempotencyKey?: string;
  ifMatch?: string;
  header?: string[];
  contentType?: string;
  accessToken?: string;
}

const widestHelp = 120;

/** `createDevice` is `create-device`. */
export const kebab = (name: string) =>
  name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/**
 * A command for each resource. Those that the words name have one for each of their operations: all
 * 300 would take a noticeable time.
 */
export function addResources(program: Command, terminal: Terminal, words: readonly string[]): void {
  for (const operation of operations) {
    const name = kebab(operation.namespace);
    const parent =
      program.commands.find((known) => known.name() === name) ??
      program.command(name).description(name.replaceAll('-', ' '));
    if (words.includes(name)) addOperation(parent, operation, terminal);
  }
}

function addOperation(parent: Command, operation: Operation, terminal: Terminal): void {
  const { id, method, pathParameters, body } = operation;
  const command = parent.command(kebab(method)).description(summaries[id] ?? id);
  for (const name of pathParameters) command.argument(`<${name}>`);
  if (body === 'file') command.argument('[file]', 'CSV or NDJSON');
  else if (body !== undefined) command.argument('[fields...]', 'name=text or name:=json');
  addOptions(command, operation);
  const named = `onward ${parent.name()} ${command.name()}`;
  command.addHelpText('after', () => {
    const columns = Math.min(terminal.columns ?? 80, widestHelp);
    const docsUrl = findDocsUrl(command.optsWithGlobals<GlobalOptions>(), terminal.environment);
    return describeOperation(operation, named, { docsUrl, columns });
  });
  command.action(async () => {
    const session = openSession(terminal, command);
    await run(session, operation, command.args, command.opts<CallOptions>(), terminal);
  });
}

function addOptions(
  command: Command,
  { body, hasQuery, isList, acceptsIdempotencyKey }: Operation,
) {
  if (body === 'json' || body === 'form') {
    command.option('--data <json>', 'the body: JSON, @file, or - for standard input');
  }
  if (body !== undefined) command.option('--content-type <type>', 'of the body');
  if (hasQuery) {
    command
      .option('--filter <condition...>', 'field=value or field[operator]=value')
      .option('--query <name=value...>', 'another parameter of the query');
  }
  if (isList) {
    command
      .option('--sort <fields>', 'such as -inserted_at,name')
      .option('--include <relations>', 'relations to embed')
      .option('--limit <count>', 'items at most (default: 25)')
      .option('--count', 'write the count of all items only');
  }
  if (acceptsIdempotencyKey) {
    command
      .option('--idempotency-key <key>', 'for a call that may be repeated')
      .option('--if-match <etag>', 'the version that is expected');
  }
  command
    .option('--header <name=value...>', 'another header')
    .option('--access-token <token>', 'instead of the client, such as that of a widget');
}

async function run(
  { onward, output }: Session,
  operation: Operation,
  args: readonly string[],
  options: CallOptions,
  terminal: Terminal,
): Promise<void> {
  const { id, pathParameters, isList, answersFile } = operation;
  const path = args.slice(0, pathParameters.length);
  const body = await bodyOf(operation, args.slice(pathParameters.length), options, terminal);
  const query = queryOf(operation, options);
  const call = onward.call(id, { path, query, body }, requestOptions(options, terminal));
  if (isList && 'pages' in call) {
    await writeList(id, call, output, options);
    return;
  }
  const data = await call;
  if (answersFile && data instanceof Response) await writeFile(data, terminal);
  else if (data === undefined) output.remark('Done.');
  else if (isObject(data) && Array.isArray(data['data']))
    writeRows(id, data['data'].filter(isObject), output);
  else if (isObject(data)) output.row(data);
}

/** A file as it is, also with `--json`; piece by piece, since it may be large. */
async function writeFile({ body }: Response, { writeBytes }: Terminal): Promise<void> {
  const pieces: AsyncIterable<Uint8Array> | null = body;
  if (pieces) for await (const piece of pieces) await writeBytes(piece);
}

interface Pages {
  [Symbol.asyncIterator](): AsyncIterator<unknown>;
  then: PromiseLike<{ meta?: { count: number } }>['then'];
}

async function writeList(id: string, list: Pages, output: Output, { limit, count }: CallOptions) {
  if (count === true) {
    output.row({ count: (await list).meta?.count });
    return;
  }
  const most = limit === undefined ? 25 : readCount(limit);
  const rows: object[] = [];
  const items: AsyncIterable<unknown> = list;
  for await (const item of items) {
    if (isObject(item)) rows.push(item);
    if (rows.length >= most) break;
  }
  writeRows(id, rows, output);
}

const writeRows = (id: string, rows: readonly object[], output: Output) =>
  output.rows(rows, columnsFor(id, rows));

async function bodyOf(
  operation: Operation,
  rest: readonly string[],
  options: CallOptions,
  { signal }: Terminal,
) {
  const { body } = operation;
  if (body === undefined) return undefined;
  if (body === 'file') {
    const [file] = rest;
    if (file === undefined) throw new UsageError('Name the file to send.');
    return openFile(file);
  }
  const { data, contentType } = options;
  if (data === undefined) return rest.length > 0 ? readFields(rest) : undefined;
  const text = await readData(data, signal);
  if (contentType !== undefined && contentType !== 'application/json') return text;
  const whole = readJson(text);
  return rest.length > 0 && isObject(whole) ? { ...whole, ...readFields(rest) } : whole;
}

function queryOf({ isList }: Operation, options: CallOptions): object {
  const { filter = [], sort, include, query = [], limit, count } = options;
  const size = limit === undefined ? 25 : Math.min(readCount(limit), 100);
  return {
    ...readQuery(query),
    ...readFilters(filter),
    ...(sort !== undefined && { sort }),
    ...(include !== undefined && { include }),
    ...(isList && { page: { size: count === true ? 1 : size } }),
    ...(count === true && { meta: 'count' }),
  };
}

function requestOptions(options: CallOptions, { signal }: Terminal): RequestOptions {
  const { idempotencyKey, ifMatch, header = [], contentType, accessToken } = options;
  return {
    signal,
    headers: readPairs(header, '--header'),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(ifMatch !== undefined && { ifMatch }),
    ...(contentType !== undefined && { contentType }),
    ...(accessToken !== undefined && { accessToken }),
  };
}
