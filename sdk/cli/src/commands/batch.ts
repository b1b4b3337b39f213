import { extname } from 'node:path';
import type { Command } from 'commander';
import type {
  BatchOperation,
  BatchOperationCreate,
  Onward,
} from '../../../typescript/src/index.ts';
import { openFile } from '../../../typescript/src/node.ts';
import { readConsents, readMapping } from '../arguments.ts';
import { UnfinishedError } from '../failures.ts';
import { openSession } from '../session.ts';
import type { Session, Terminal } from '../session.ts';
import { explainColumns } from './column-hints.ts';

const maxShown = 10;

/** Sentences about what failed: the first records with their rows, and where the rest is. */
async function describeFailures(
  onward: Onward,
  { id, error, failed_count: failed, total_count: total = 0 }: BatchOperation,
  isCsv: boolean,
  signal: AbortSignal,
): Promise<string[]> {
  const whole = error ? [`${error.code}: ${error.detail}`] : [];
  if (failed === 0) return whole;
  const query = { filter: { status: 'failed' }, page: { size: maxShown } } as const;
  const { data } = await onward.batchOperations.listItems(id, query, { signal });
  const rest = failed - data.length;
  return [
    ...whole,
    `${String(failed)} of ${String(total)} records failed:`,
    ...data.map(({ index, errors }) => `  ${placeOf(index, isCsv)}: ${sentenceOf(errors)}`),
    ...(rest > 0 ? [`  and ${String(rest)} more.`] : []),
    `\`onward batch-operations get-errors ${id}\` writes all of them as CSV.`,
  ];
}

/** As a spreadsheet counts rows that are not empty: the first one has the names. */
const placeOf = (index: number, isCsv: boolean) =>
  isCsv ? `Row ${String(index + 2)}` : `Record ${String(index + 1)}`;

function sentenceOf(errors: readonly { code: string; detail: string }[]): string {
  const [first, ...more] = errors;
  if (!first) return 'failed.';
  return more.length === 0 ? first.detail : `${first.detail} (and ${String(more.length)} more)`;
}

interface RunOptions {
  operation: string;
  map?: string[];
  consent?: string[];
  consentSource?: string;
  dryRun?: boolean;
  transactional?: boolean;
  idempotencyKey?: string;
  detach?: boolean;
}

/** `onward batch run <file>`: a file of records through an operation, with its progress. */
export function addBatch(program: Command, terminal: Terminal): void {
  const batch = program.command('batch').description('batches of files');
  const run = batch
    .command('run')
    .description('sends a file of records, CSV or NDJSON, and waits for its end')
    .argument('<file>')
    .option('--operation <kind>', 'as `onward operations list` shows them', 'contacts.bulk_upsert')
    .option(
      '--map <column=field...>',
      'for columns that have other names; "column=" leaves one out',
    )
    .option('--consent <column=channel...>', 'a column of yes and no that is a consent')
    .option('--consent-source <text>', 'where these consents were given')
    .option('--dry-run', 'try every record and keep nothing')
    .option('--transactional', 'all records or none, up to 1,000')
    .option('--idempotency-key <key>', 'for a batch that may be started again')
    .option('--detach', 'do not wait')
    .addHelpText(
      'after',
      '\nExample:\n  onward batch run crm.csv --map "Customer No=unique_id" "Remarks=" ' +
        '--consent "Marketing OK=email" --consent-source "Branch form"',
    );
  run.action(async (file: string, options: RunOptions) => {
    await runFile(openSession(terminal, run), file, options, terminal);
  });
}

async function runFile(session: Session, file: string, options: RunOptions, terminal: Terminal) {
  const { onward, output } = session;
  const { idempotencyKey, detach } = options;
  const { signal } = terminal;
  const request = requestOf(options);
  const started = await onward
    .runFile(await openFile(file), request, {
      signal,
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    })
    .catch(async (error: unknown) => {
      throw await explainColumns(onward, request.operation_kind, error);
    });
  if (detach === true) {
    output.row(started);
    return;
  }
  const onProgress = (state: BatchOperation) => showProgress(state, terminal, output.isJson);
  const waiting = onward.waitFor(started, { signal, onProgress, timeoutMs: 86_400_000 });
  const done = await waiting.catch((error: unknown) => {
    if (signal.aborted)
      terminal.note(`\nThe batch continues: onward batch-operations get ${started.id}`);
    throw error;
  });
  if (terminal.isInteractive && !output.isJson) terminal.note('');
  output.row(output.isJson ? done : summaryOf(done));
  if (done.status === 'succeeded') return;
  const isCsv = extname(file).toLowerCase() !== '.ndjson' && extname(file) !== '.jsonl';
  const lines = output.isJson ? [] : await describeFailures(onward, done, isCsv, signal);
  throw new UnfinishedError([`The batch is ${done.status}.`, ...lines].join('\n'));
}

function requestOf(options: RunOptions): BatchOperationCreate {
  const { operation, map = [], consent = [], consentSource, dryRun, transactional } = options;
  return {
    operation_kind: operation,
    ...(map.length > 0 && { mapping: readMapping(map) }),
    ...(consent.length > 0 && { consent_columns: readConsents(consent, consentSource) }),
    options: {
      ...(dryRun === true && { dry_run: true }),
      ...(transactional === true && { failure_mode: 'transactional' }),
    },
  };
}

const barWidth = 30;

/** A bar that is drawn over for people; nothing for programs. */
function showProgress(state: BatchOperation, { isInteractive, note }: Terminal, isJson: boolean) {
  if (isJson) return;
  const { processed_count: done, total_count: total = 0, status } = state;
  const filled = total === 0 ? 0 : Math.round((done / total) * barWidth);
  const bar = `${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)}`;
  const line = `${bar} ${String(done)}/${String(total)} ${status}`;
  if (isInteractive) process.stderr.write(`\r\x1b[K${line}`);
  else note(line);
}

function summaryOf(batch: BatchOperation): object {
  const shown = ['id', 'operation_kind', 'status'];
  return Object.fromEntries(
    Object.entries(batch).filter(([name]) => shown.includes(name) || name.endsWith('_count')),
  );
}
