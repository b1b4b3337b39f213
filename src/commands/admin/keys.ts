import { writeFile } from 'node:fs/promises';
import { Argument, InvalidArgumentError } from 'commander';
import type { Command } from 'commander';
import {
  completeKeyFile,
  keyListNames,
  missingLists,
  newKeyFile,
  parseKeyFile,
  rotateKeyFile,
} from '../../platform/auth/keyring.ts';
import type { KeyListName } from '../../platform/auth/keyring.ts';
import { rewrapColumn } from '../../platform/auth/rewrap.ts';
import {
  listSigningKeys,
  reloadAfterMs,
  revokeSigningKey,
  rotateSigningKey,
} from '../../platform/auth/signing-keys.ts';
import { callerTtlMs } from '../../platform/auth/tokens.ts';
import { isUuid } from '../../platform/schema/fields.ts';
import { LocalFailure } from '../../local/local-failure.ts';
import { writePrivate } from '../../local/private-file.ts';
import type { Output } from '../../../sdk/cli/src/output.ts';
import { sealedColumns } from '../sealed-columns.ts';
import { parseSeconds } from './arguments.ts';
import { findKeyFile, openServiceKeys, readKeys, withDatabase } from './connection.ts';
import { recordCommand, recordFileChange } from './record-command.ts';

/** When the older keys of a list may be removed from the file. */
const afterRotation: Readonly<Record<KeyListName, string>> = {
  envelope: 'Then seal stored values with it: npm run admin -- keys rewrap.',
  cursor:
    'Keep the old key: it verifies cursors that clients hold. Remove it only if it leaked; its cursors then answer 410.',
  pepper: 'Remove the old key when every client has a new secret and the old secrets have ended.',
  journey_link: 'Remove the old key when the journeys that it links to have ended.',
  unsubscribe: 'Remove the old key 60 days after the last message that was sent with it.',
  tracking:
    'Remove the old key when nobody opens messages any more that were sent with it; links of a removed key lead nowhere.',
  confirmation: 'Remove the old key after 8 days; a confirmation ends after 7.',
  form: 'Remove the old key after a day; an open page asks to send its form again.',
  budget: 'Remove the old key at the next restart; budgets begin at full.',
  audit_seal: 'Keep the old key as long as lines of the trail that it sealed must be verified.',
  identity: 'Keep the old key; without it erased addresses that are suppressed are not recognized.',
  temporal_codec:
    'Remove the old key when no workflow whose payloads it encrypted is open or retained: 30 days after the last has ended.',
};

/** Tokens of a revoked key are refused by every process after that many seconds. */
const revocationSeconds = Math.ceil((reloadAfterMs + callerTtlMs) / 1_000);

function parseKeyId(text: string): string {
  if (isUuid(text)) return text;
  throw new InvalidArgumentError('The id of a signing key is a UUID; `keys list` shows it.');
}

export function addKeyCommands(program: Command, output: Output): void {
  const keys = program.command('keys').description("the service's own keys");

  addInit(keys, output);
  addList(keys, output);
  addRotateSigning(keys, output);
  addRevokeSigning(keys, output);
  addComplete(keys, output);
  addRotate(keys, output);
  addRewrap(keys, output);
}

function addInit(keys: Command, output: Output): void {
  keys
    .command('init')
    .description('make a file of keys that only you can read')
    .requiredOption('--file <path>', 'where; must not exist')
    .action(async ({ file }: { file: string }) => {
      const made = newKeyFile();
      await writeFile(file, `${JSON.stringify(made, undefined, 2)}\n`, {
        mode: 0o600,
        flag: 'wx',
      }).catch((cause: unknown) => {
        const reason = cause instanceof Error ? cause.message : String(cause);
        throw new LocalFailure(`The keys are not written, nothing is overwritten: ${reason}.`, {
          cause,
        });
      });
      output.row({
        file,
        hint: 'set ONWARD_KEYS_FILE to it, and keep a copy: without it secrets are lost',
      });
    });
}

function addList(keys: Command, output: Output): void {
  keys
    .command('list')
    .description('list the ids of all keys and what each is good for now')
    .option('--file <path>', 'file of keys; by default that of the service')
    .action(async ({ file }: { file?: string }) => {
      const stored = parseKeyFile(await readKeys(findKeyFile(file)));
      const signing = await withDatabase((database) =>
        database.read((sql) => listSigningKeys(sql)),
      );
      const rows = [
        ...keyListNames.flatMap((kind) =>
          stored[kind].map(({ id }, at) => ({
            kind,
            id,
            state: at === 0 ? 'current' : 'accepted',
          })),
        ),
        ...signing.map((key) => ({ kind: 'signing', ...key })),
      ];
      output.rows(rows, ['kind', 'id', 'state', 'activates_at', 'retires_at']);
    });
}

function addRotateSigning(keys: Command, output: Output): void {
  keys
    .command('rotate-signing')
    .description('make a new key for access tokens; the old ones retire when their tokens have')
    .option('--delay-seconds <seconds>', 'published so long before it signs', parseSeconds, 60)
    .action(async ({ delaySeconds }: { delaySeconds: number }) => {
      const keyring = await openServiceKeys();
      const id = await withDatabase((database) =>
        database.transact(async (sql) => {
          const resourceId = await rotateSigningKey(sql, keyring, delaySeconds);
          await recordCommand(sql, { action: 'signing_key.created', resourceId });
          return resourceId;
        }),
      );
      output.row({ id, signs_in_seconds: delaySeconds });
    });
}

function addRevokeSigning(keys: Command, output: Output): void {
  keys
    .command('revoke-signing')
    .description('end a compromised key for access tokens within seconds, with every token of it')
    .argument('<key-id>', 'id of the key, see `keys list`', parseKeyId)
    .action(async (id: string) => {
      const keyring = await openServiceKeys();
      const made = await withDatabase((database) =>
        database.transact(async (sql) => {
          const next = await revokeSigningKey(sql, keyring, id);
          if (next === undefined) return undefined;
          await recordCommand(sql, { action: 'signing_key.revoked', resourceId: id });
          if (next !== null) {
            await recordCommand(sql, { action: 'signing_key.created', resourceId: next });
          }
          return next;
        }),
      );
      if (made === undefined) {
        throw new LocalFailure(`No accepted signing key has the id ${id}; see \`keys list\`.`);
      }
      output.row({ revoked: id, new_key: made, refused_within_seconds: revocationSeconds });
    });
}

function addComplete(keys: Command, output: Output): void {
  keys
    .command('complete')
    .description('add the lists that the file of an earlier version lacks')
    .option('--file <path>', 'file of keys; by default that of the service')
    .action(async ({ file }: { file?: string }) => {
      const path = findKeyFile(file);
      const text = await readKeys(path);
      const added = missingLists(text);
      if (added.length === 0) {
        output.row({ file: path, added });
        return;
      }
      await writePrivate(path, JSON.stringify(completeKeyFile(text), undefined, 2));
      const audit = await recordFileChange({ action: 'key_list.created', changedFields: added });
      output.row({ file: path, added, audit });
    });
}

function addRotate(keys: Command, output: Output): void {
  keys
    .command('rotate')
    .description('put a new key in front of a list of the file; the old ones stay readable')
    .addArgument(new Argument('<list>', 'which').choices(keyListNames))
    .option('--file <path>', 'file of keys; by default that of the service')
    .action(async (list: KeyListName, { file }: { file?: string }) => {
      const path = findKeyFile(file);
      const rotated = rotateKeyFile(parseKeyFile(await readKeys(path)), list);
      await writePrivate(path, JSON.stringify(rotated, undefined, 2));
      const hint = `restart the API and the workers, which read it when they start. ${afterRotation[list]}`;
      const audit = await recordFileChange({ action: 'key_list.rotated', changedFields: [list] });
      output.row({ list, id: rotated[list][0]?.id, file: path, hint, audit });
    });
}

function addRewrap(keys: Command, output: Output): void {
  keys
    .command('rewrap')
    .description('reseal every stored secret with the current envelope key')
    .action(async () => {
      const keyring = await openServiceKeys();
      const rows = await withDatabase(async (database) => {
        const counts = [];
        for (const column of sealedColumns) {
          const { table, column: name } = column;
          counts.push({
            table,
            column: name,
            sealed_anew: await rewrapColumn(database, keyring, column),
          });
        }
        await database.transact((sql) =>
          recordCommand(sql, { action: 'key_list.rewrapped', changedFields: ['envelope'] }),
        );
        return counts;
      });
      output.rows(rows, ['table', 'column', 'sealed_anew']);
      output.remark(
        `Everything is sealed with ${keyring.envelopeKeyId}; older envelope keys may go.`,
      );
    });
}
