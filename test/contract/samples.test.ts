import { expect, test } from '@jest/globals';
import { endpoints } from '../../src/app/endpoints.ts';
import { recipientRecipes } from './recipes/recipients.ts';
import { gapOf } from './samples.ts';
import { recipientEndpoints, scopedEndpoints } from './scoped.ts';

test('every endpoint has a sample', () => {
  const gaps = scopedEndpoints.map(([, endpoint]) => gapOf(endpoint)).filter(Boolean);
  expect(gaps).toEqual([]);
  const told = Object.keys(recipientRecipes);
  expect(recipientEndpoints.map(([id]) => id).sort()).toEqual(told.sort());
});

test('every path belongs to one of the surfaces, and only known endpoints require no scope', () => {
  const outside = endpoints.filter(
    ({ path }) =>
      !/^\/(v2\/(partner|ipaas|batch|meta|widget|webhooks)|oauth2|\.well-known)\//.test(path),
  );
  expect(outside.map(({ id }) => id)).toEqual([]);
  const open = endpoints.filter(({ scope }) => scope === 'open').map(({ id }) => id);
  expect(open).toEqual([
    'createToken',
    'revokeAccessToken',
    'getJwks',
    'getAuthorizationServerMetadata',
    'getTime',
    'getOpenApi',
    'openPortalSession',
  ]);
});
