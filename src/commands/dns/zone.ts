import { readFile, rename, writeFile } from 'node:fs/promises';
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { LocalFailure } from '../../local/local-failure.ts';

/** `.onward/dns.json`: the texts of the TXT records of each name. */
const Zone = Type.Record(Type.String(), Type.Array(Type.String()));
export type Zone = Static<typeof Zone>;

const compiled = Compile(Zone);

/** Empty where there is no file. */
export async function readZone(path: string): Promise<Zone> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch {
    return {};
  }
  const value: unknown = JSON.parse(text);
  if (compiled.Check(value)) return value;
  throw new LocalFailure(`${path} must have an object of names, each with a list of texts.`);
}

/** Replaces the file in one step: the name server may read it at any moment. */
export async function writeZone(path: string, zone: Zone): Promise<void> {
  const next = `${path}.next`;
  await writeFile(next, `${JSON.stringify(zone, undefined, 2)}\n`);
  await rename(next, path);
}
