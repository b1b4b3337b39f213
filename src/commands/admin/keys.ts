import { writeFile } from 'node:fs/promises';
import { Argument } from 'commander';
import type { Command } from 'commander';
import { newKeyFile, parseKeyFile, rotateKeyFile } from '../../auth/keyring.ts';
import type { KeyFile } from '../../auth/keyring.ts';
import { rewrapColumn } from '../../auth/rewrap.ts';
import { listSigningKeys, rotateSigningKey } from '../../auth/signing-keys.ts';
import { LocalFailure } from '../../local/local-failure.ts';
import { writePrivate } from '../../local/private-file.ts';
import type { Output } from '../command.ts';
import { sealedColumns } from '../sealed-columns.ts';
import { parseSeconds } from './arguments.ts';
import { findKeyFile, openServiceKeys, readKeys, withDatabase } from './connection.ts';

const lists = ['envelope', 'pepper', 'cursor'] as const;

const afterRotation: Readonly<Record<keyof KeyFile, string>> = {
  envelope: 'Then seal what is stored anew: npm run admin -- keys rewrap.',
  pepper: 'Client secrets made from then on use it; the old one must stay while others work.',
  cursor: 'Page cursors made from then on use it; the old one may go after a day.',
};

export function addKeyCommands(program: Command, output: Output): void {
  const keys = program.command('keys').description("the service's own keys");

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
        ...lists.flatMap((kind) =>
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

  keys
    .command('rotate-signing')
    .description('make a new key for access tokens; the old ones retire when their tokens have')
    .option('--delay-seconds <seconds>', 'published so long before it signs', parseSeconds, 60)
    .action(async ({ delaySeconds }: { delaySeconds: number }) => {
      const keyring = await openServiceKeys();
      const id = await withDatabase((database) =>
        database.transact((sql) => rotateSigningKey(sql, keyring, delaySeconds)),
      );
      output.row({ id, signs_in_seconds: delaySeconds });
    });

  keys
    .command('rotate')
    .description('put a new key in front of a list of the file; the old ones stay readable')
    .addArgument(new Argument('<list>', 'which').choices(lists))
    .option('--file <path>', 'file of keys; by default that of the service')
    .action(async (list: keyof KeyFile, { file }: { file?: string }) => {
      const path = findKeyFile(file);
      const rotated = rotateKeyFile(parseKeyFile(await readKeys(path)), list);
      await writePrivate(path, JSON.stringify(rotated, undefined, 2));
      const hint = `restart the API and the workers, which read it when they start. ${afterRotation[list]}`;
      output.row({ list, id: rotated[list][0]?.id, file: path, hint });
    });

  keys
    .command('rewrap')
    .description('seal every stored secret anew with the current envelope key')
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
        return counts;
      });
      output.rows(rows, ['table', 'column', 'sealed_anew']);
      output.remark(
        `Everything is sealed with ${keyring.envelopeKeyId}; older envelope keys may go.`,
      );
    });
}
