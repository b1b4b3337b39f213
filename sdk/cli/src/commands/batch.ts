import type { Command } from 'commander';
import type { BatchOperation } from '../../../typescript/src/index.ts';
import { openFile } from '../../../typescript/src/node.ts';
import { readPairs } from '../arguments.ts';
import { UnfinishedError } from '../failures.ts';
import { openSession } from '../session.ts';
import type { Session, Terminal } from '../session.ts';

interface RunOptions {
  operation: string;
  map?: string[];
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
    .option('--map <column=field...>', 'for columns that have other names')
    .option('--dry-run', 'try every record and keep nothing')
    .option('--transactional', 'all records or none, up to 1,000')
    .option('--idempotency-key <key>', 'for a batch that may be started again')
    .option('--detach', 'do not wait');
  run.action(async (file: string, options: RunOptions) => {
    await runFile(openSession(terminal, run), file, options, terminal);
  });
}

async function runFile(session: Session, file: string, options: RunOptions, terminal: Terminal) {
  const { onward, output } = session;
  const { operation, map = [], dryRun, transactional, idempotencyKey, detach } = options;
  const { signal } = terminal;
  const started = await onward.runFile(
    await openFile(file),
    {
      operation_kind: operation,
      ...(map.length > 0 && { mapping: readPairs(map, '--map') }),
      options: {
        ...(dryRun === true && { dry_run: true }),
        ...(transactional === true && { failure_mode: 'transactional' }),
      },
    },
    { signal, ...(idempotencyKey !== undefined && { idempotencyKey }) },
  );
  if (detach === true) {
    output.row(started);
    return;
  }
  const onProgress = (state: BatchOperation) => showProgress(state, terminal, output.isJson);
  const done = await onward.waitFor(started, { signal, onProgress, timeoutMs: 86_400_000 });
  if (terminal.isInteractive && !output.isJson) terminal.note('');
  output.row(output.isJson ? done : summaryOf(done));
  if (done.status === 'succeeded') return;
  throw new UnfinishedError(
    `The batch is ${done.status}. \`onward batch-operations get-errors ${done.id}\` lists the errors.`,
  );
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
  const shown = [
    'id',
    'operation_kind',
    'status',
    'total_count',
    'processed_count',
    'error_summary',
  ];
  return Object.fromEntries(
    Object.entries(batch).filter(([name]) => shown.includes(name) || name.endsWith('_count')),
  );
}
