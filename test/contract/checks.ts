import type { Endpoint } from '../../src/platform/http/endpoint.ts';
import { callerChecks } from './callers.ts';
import type { Check } from './check.ts';
import { hasIds, hasIdsInBody, tryIdsInBody, tryIdsInPath, tryScopes } from './isolation.ts';
import { hasScenes, tryScenes } from './scenes.ts';
import { streamChecks } from './streams.ts';
import { hasQuota, tryCrowd, tryLockedTwin, tryTwin, tryTwinAhead, tryTwinOnly } from './twins.ts';
import { workChecks } from './work.ts';

const everywhere = ({ stream }: Endpoint) => !stream;
const writing = ({ method, stream }: Endpoint) => method !== 'GET' && !stream;

/** The checks for every endpoint to which they apply. */
export const checks: readonly Check[] = [
  {
    title: 'a team whose rows have the same ids is neither shown nor changed',
    about: 'teams',
    appliesTo: everywhere,
    run: tryTwin,
  },
  {
    title: 'what only a team with the same ids has is not there',
    about: 'teams',
    appliesTo: hasIds,
    run: tryTwinOnly,
  },
  {
    title: 'an id of another team, an unknown one and a malformed one answer the same 404',
    about: 'teams',
    appliesTo: hasIds,
    run: tryIdsInPath,
  },
  {
    title: 'an id of another team in a body answers as an unknown one',
    about: 'teams',
    appliesTo: hasIdsInBody,
    run: tryIdsInBody,
  },
  {
    title: 'a team with the same ids that has done it before makes no difference',
    about: 'teams',
    appliesTo: writing,
    run: tryTwinAhead,
  },
  {
    title: 'a team with the same ids that is busy keeps nobody waiting',
    about: 'teams',
    appliesTo: writing,
    run: tryLockedTwin,
  },
  {
    title: 'a team with the same ids that has gone another way makes no difference',
    about: 'teams',
    appliesTo: hasScenes,
    run: tryScenes,
  },
  {
    title: 'the rows of other teams use up no quota',
    about: 'teams',
    appliesTo: hasQuota,
    run: tryCrowd,
  },
  {
    title: 'a client without the scope is refused what it has good ids for',
    about: 'scopes',
    appliesTo: everywhere,
    run: tryScopes,
  },
  ...callerChecks,
  ...streamChecks,
  ...workChecks,
];
