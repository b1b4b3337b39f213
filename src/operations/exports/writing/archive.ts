import { createHash } from 'node:crypto';
import type { Keyring } from '../../../platform/auth/keyring.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { createSerializer } from '../../../platform/http/response-serializer.ts';
import type { Statement } from '../../../platform/lists/statement.ts';
import { ArchivedMessageDetails } from '../../../messaging/archived-messages/archived-message.ts';
import { openMessage } from '../../../messaging/archived-messages/open.ts';
import { findContents } from '../../../messaging/archived-messages/queries.ts';
import type { StoredMessage } from '../../../messaging/archived-messages/queries.ts';
import type { ExportRow } from '../queries.ts';
import { insertText, readPage } from './queries.ts';

/** Messages whose contents are in memory together. */
const openedTogether = 10;
/** A part ends behind this many characters. */
const partLength = 4_000_000;

/** `previous` of the first line. */
const beginOfChain = '0'.repeat(64);

const clean = createSerializer(ArchivedMessageDetails);

/** A part of a file of archived messages. */
interface ChainedPart {
  rows: number;
  lastId: string | null;
  size: number;
  /** Whether the file is complete. */
  isThrough: boolean;
  /** SHA-256 of its last line. */
  chain: string;
}

/**
 * Writes a part of archived messages in the process, since their contents are sealed. Each line has
 * the SHA-256 of the one before; the last line names the number of messages and what was asked for.
 */
export async function writeChained(
  sql: Sql,
  keyring: Keyring,
  row: ExportRow,
  page: Statement,
  pageRows: number,
): Promise<ChainedPart> {
  const found = await readPage<Omit<StoredMessage, 'sealed_content'>>(sql, page);
  let text = '';
  let chain = row.chain_sha256 ?? beginOfChain;
  let rows = 0;
  const add = (fields: object) => {
    const line = JSON.stringify({ previous: chain, ...fields });
    chain = createHash('sha256').update(line).digest('hex');
    text += `${line}\n`;
  };
  while (rows < found.length && text.length < partLength) {
    const some = found.slice(rows, rows + openedTogether);
    const contents = await findContents(sql, row.team_id, some);
    for (const message of some) {
      rows += 1;
      const sealed_content = contents.get(message.content_id ?? '') ?? null;
      const opened = openMessage(keyring, { ...message, sealed_content });
      add({ sequence: row.row_count + rows, message: clean({ ...message, ...opened }) });
    }
  }
  const isThrough = rows === found.length && found.length < pageRows;
  if (isThrough) add({ manifest: manifestOf(row, row.row_count + rows) });
  const lastId = found[rows - 1]?.id ?? row.cursor_id;
  await insertText(sql, row, text);
  return { rows, lastId, size: Buffer.byteLength(text), isThrough, chain };
}

/** The manifest of the lines before it. */
function manifestOf({ team_id, id, filters, inserted_at }: ExportRow, count: number) {
  return {
    ...{ type: 'archived_messages_manifest', team_id, export_id: id, filters },
    ...{ requested_at: inserted_at, message_count: count },
  };
}
