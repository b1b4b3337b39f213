import { readFile } from 'node:fs/promises';
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { Compile } from 'typebox/compile';
import type { ReceiverKind } from '../../inbound/receiver.ts';
import { writePrivate } from '../../local/private-file.ts';
import type { SampleTarget } from './send.ts';

const File = Type.Record(
  Type.String(),
  Type.Object({ url: Type.String(), settings: Type.Record(Type.String(), Type.Unknown()) }),
);
const compiled = Compile(File);

async function readTargets(path: string): Promise<Static<typeof File>> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'));
    return compiled.Check(value) ? value : {};
  } catch {
    return {};
  }
}

/** The receiver of a kind that the last `--setup` made. */
export async function recallTarget(
  path: string,
  kind: ReceiverKind,
): Promise<SampleTarget | undefined> {
  return (await readTargets(path))[kind];
}

export async function rememberTarget(
  path: string,
  kind: ReceiverKind,
  target: SampleTarget,
): Promise<void> {
  const targets = { ...(await readTargets(path)), [kind]: target };
  await writePrivate(path, JSON.stringify(targets, undefined, 2));
}
