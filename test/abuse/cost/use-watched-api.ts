import { afterAll, beforeAll } from '@jest/globals';
import type { TestTeam } from '../../support/api.ts';
import { createJudge } from './judge.ts';
import { startWatchedApi } from './watched-api.ts';
import type { WatchedApi } from './watched-api.ts';

export interface CostScene {
  watched: WatchedApi;
  team: TestTeam;
  judge: ReturnType<typeof createJudge>;
}

/** A watched API with a team for the tests of a file, which prints the costs of an area at the end. */
export function useWatchedApi(area: string): CostScene {
  const scene = {} as CostScene;
  beforeAll(async () => {
    const watched = await startWatchedApi();
    const team = await watched.api.newTeam();
    Object.assign(scene, { watched, team, judge: createJudge(watched, area) });
  });
  afterAll(async () => {
    await scene.watched.stop();
    scene.judge.report();
  });
  return scene;
}
