import { readFile } from 'node:fs/promises';
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Database } from '../../platform/database/client.ts';
import { writePrivate } from '../../local/private-file.ts';
import { findClient, insertClient } from '../../team/oauth2/queries.ts';
import { createTeam } from '../create-team.ts';
import { fillTeam, fillYear } from '../seed/fill.ts';
import { removeTeam } from './queries.ts';

/** `.onward/sample.json`: the team with made-up data, and how far it is. */
const SampleFile = Type.Object({
  state: Type.Union([Type.Literal('loading'), Type.Literal('ready'), Type.Literal('removed')]),
  team_id: Type.String(),
  client_id: Type.String(),
});
export type Sample = Static<typeof SampleFile>;

const compiled = Compile(SampleFile);
const contacts = 1_500;
/** About how many there are, in a year. */
const events = 20_000;
const ignore = () => undefined;

async function readSample(path: string): Promise<Sample | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'));
    return compiled.Check(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const writeSample = (path: string, sample: Sample) =>
  writePrivate(path, JSON.stringify(sample, undefined, 2));

/**
 * The team whose year of campaigns /insights shows on a machine without data of its own; undefined
 * where somebody has removed it. What an earlier start left half done is removed first. The client
 * has no secret, so that only the pages of this machine act as it.
 */
export async function ensureSample(
  owner: Database,
  path: string,
  scopes: readonly string[],
): Promise<Sample | undefined> {
  const known = await readSample(path);
  if (known?.state === 'removed') return undefined;
  // The database may be a new one.
  const isThere = known && (await owner.read((sql) => findClient(sql, known.client_id)));
  if (known?.state === 'ready' && isThere) return known;
  const sample = await owner.transact(async (sql) => {
    if (known) await removeTeam(sql, known.team_id);
    const { id: team_id } = await createTeam(sql, { name: 'Sample', tier: 'enterprise' });
    const client = { name: 'Local pages', scopes, allowWildcards: false };
    const { id: client_id } = await insertClient(sql, team_id, client);
    const made = { state: 'loading' as const, team_id, client_id };
    // Before the end of the transaction, so that no team is left that nothing names.
    await writeSample(path, made);
    return made;
  });
  await fillTeam(owner, sample.team_id, contacts, ignore);
  const year = { events, contacts, seed: 1, nowMs: Date.now() };
  await fillYear(owner, sample.team_id, year, ignore);
  const ready = { ...sample, state: 'ready' as const };
  await writeSample(path, ready);
  return ready;
}

/** Removes the made-up data for good; returns whether there was any. */
export async function removeSample(owner: Database, path: string): Promise<boolean> {
  const known = await readSample(path);
  if (!known || known.state === 'removed') return false;
  const isRemoved = await owner.transact((sql) => removeTeam(sql, known.team_id));
  // Elsewhere it is still there, in the database of `npm start`.
  if (isRemoved) await writeSample(path, { ...known, state: 'removed' });
  return isRemoved;
}
