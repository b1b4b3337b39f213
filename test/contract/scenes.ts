import { expect } from '@jest/globals';
import type { Endpoint } from '../../src/platform/http/endpoint.ts';
import type { TestTeam } from '../support/api.ts';
import { actOn, comparisonOf, plain, shapeOf, twinsOf } from './acts.ts';
import { verdictOf } from './answers.ts';
import { newListener } from './isolation.ts';
import type { Neighbors } from './isolation.ts';
import { operations } from './recipes.ts';
import type { Scene } from './recipes/recipe.ts';
import { makeShown, sampleOf } from './samples.ts';
import type { Sample } from './samples.ts';

export function hasScenes({ id }: Endpoint): boolean {
  return operations[id]?.scenes !== undefined;
}

/** Situations in which a twin has changed since: they make no difference. */
export async function tryScenes(neighbors: Neighbors, endpoint: Endpoint): Promise<void> {
  const { api, rows, cells } = neighbors;
  const { id } = endpoint;
  for (const scene of operations[id]?.scenes ?? []) {
    const team = await newListener(api);
    const stranger = await newListener(api);
    const alone = await actOn(
      plain({ ...neighbors, team: stranger }),
      endpoint,
      await sceneOf(stranger, endpoint, scene),
    );
    const seenAlone = await scene.seen?.(stranger);
    const sample = await sceneOf(team, endpoint, scene);
    const [twin, kept] = twinsOf();
    try {
      const before = await rows.stateOf(team.id);
      await rows.copy(team.id, kept);
      await scene.deed?.(team, sample.params);
      const { changed, unchanged } = comparisonOf(before, await rows.stateOf(team.id));
      await rows.remove(kept, unchanged);
      await rows.copy(team.id, twin);
      await rows.remove(team.id, changed);
      await rows.copy(kept, team.id, changed);
      await rows.remove(kept);
      const theirs = await rows.stateOf(twin);
      const act = await actOn({ ...neighbors, team }, endpoint, sample);
      await cells.cell(`${id}: does the same though a twin ${scene.title}`, async () => {
        expect(verdictOf(act.reply)).toBe(verdictOf(alone.reply));
        expect(act.changed).toEqual(alone.changed);
        expect(act.added).toEqual(alone.added);
        expect(shapeOf(act.reply.body)).toEqual(shapeOf(alone.reply.body));
        expect(JSON.stringify(act.reply.body ?? '')).not.toContain(twin);
        expect(shapeOf(await scene.seen?.(team))).toEqual(shapeOf(seenAlone));
      });
      await cells.cell(`${id}: leaves a twin alone that ${scene.title}`, async () => {
        expect(await rows.stateOf(twin)).toEqual(theirs);
      });
    } finally {
      await rows.remove(twin);
      await rows.remove(kept);
    }
  }
}

async function sceneOf(team: TestTeam, endpoint: Endpoint, scene: Scene): Promise<Sample> {
  const { body, params, path, headers } = await sampleOf(team, endpoint, scene.target);
  if (endpoint.method === 'GET') await makeShown(team, endpoint, params);
  return {
    params,
    headers,
    path: `${path}${(await scene.query?.(team)) ?? ''}`,
    body: scene.body ? await scene.body(team, params) : body,
  };
}
