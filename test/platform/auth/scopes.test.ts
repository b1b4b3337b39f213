import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  allScopes,
  grants,
  grantScopes,
  isScope,
  isWildcard,
  withImplied,
} from '../../../src/platform/auth/scopes.ts';
import { endpoints } from '../../../src/app/endpoints.ts';
import { knownScopes } from '../../../src/team/oauth2/endpoints.ts';

const known = knownScopes(endpoints);
const parts = (at: number) => [...new Set(known.map((scope) => scope.split(':')[at] ?? ''))];
const pattern = fc
  .tuple(
    fc.constantFrom(...parts(0)),
    fc.constantFrom('*', ...parts(1)),
    fc.constantFrom('*', ...parts(2)),
  )
  .map((words) => words.join(':'));
const scopes = fc.array(fc.oneof(pattern, fc.constantFrom(...known)), { maxLength: 6 });

describe('the grammar of scopes', () => {
  test('holds for every scope there is', () => {
    expect(known.length).toBeGreaterThan(20);
    for (const scope of known)
      expect([scope, isScope(scope), isWildcard(scope)]).toEqual([scope, true, false]);
    expect(known).toEqual(allScopes(known));
  });

  test.each([
    '',
    ':',
    '::',
    'partner',
    'partner:contacts',
    'partner:contacts:',
    'partner::read',
    ':a:b',
    '*:contacts:read',
    '*',
    '*:*:*',
    'partner:contacts:read:',
    'partner:contacts:read write',
    'Partner:contacts:read',
    'partner:con*:read',
    'partner:contacts:re*',
    'partner:**:read',
    'partner:contacts:read\n',
    ' partner:contacts:read',
    'partner:9a:read',
    'partner:contacts:re-ad',
    'pärtner:contacts:read',
  ])('refuses %j', (text) => {
    expect(isScope(text)).toBe(false);
  });

  test('a text is a scope when it is three words with a wildcard for the last two at most', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'z', ':', '*', '-', '_', ' '), maxLength: 12 }),
        (text) => {
          const [surface = '', resource = '', action = '', ...rest] = text.split(':');
          const isOne =
            rest.length === 0 &&
            /^[a-z]+$/.test(surface) &&
            (resource === '*' || /^[a-z][a-z_-]*$/.test(resource)) &&
            (action === '*' || /^[a-z]+$/.test(action));
          expect(isScope(text)).toBe(isOne);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe('a wildcard', () => {
  test('covers exactly its scopes, on one surface only', () => {
    fc.assert(
      fc.property(pattern, fc.constantFrom(...known), (wild, scope) => {
        const [surface, resource, action] = wild.split(':');
        const same = (word: string | undefined, at: number) => word === scope.split(':')[at];
        expect(grants(wild, scope)).toBe(
          same(surface, 0) &&
            (resource === '*' || same(resource, 1)) &&
            (action === '*' || same(action, 2)),
        );
      }),
      { numRuns: 2_000 },
    );
  });

  test('is expanded when the token is issued, so that none is ever granted', () => {
    fc.assert(
      fc.property(scopes, scopes, fc.boolean(), (requested, entitled, allowWildcards) => {
        const granted = grantScopes(requested, { scopes: entitled, allowWildcards }, known);
        expect(granted.filter(isWildcard)).toEqual([]);
        expect(granted).toEqual(known.filter((scope) => granted.includes(scope)));
      }),
    );
  });

  test('in a request counts only for a client that opted in', () => {
    const entitled = { scopes: ['partner:contacts:read', 'partner:contacts:write'] };
    const ask = (allowWildcards: boolean, ...requested: string[]) =>
      grantScopes(requested, { ...entitled, allowWildcards }, known);
    expect(ask(false, 'partner:contacts:*')).toEqual([]);
    expect(ask(true, 'partner:contacts:*')).toEqual(entitled.scopes);
    expect(ask(true, 'partner:*:read')).toEqual(['partner:contacts:read']);
    expect(ask(true, 'widget:*:*')).toEqual([]);
  });

  test('of an entitlement is not granted to a token without requested scopes', () => {
    const entitlement = { scopes: ['partner:*:*', 'partner:contacts:read'], allowWildcards: true };
    expect(grantScopes(undefined, entitlement, known)).toEqual(['partner:contacts:read']);
    expect(grantScopes(['partner:templates:write'], entitlement, known)).toEqual([
      'partner:templates:write',
    ]);
  });
});

describe('a grant', () => {
  test('never goes beyond the entitlement, nor beyond the request', () => {
    fc.assert(
      fc.property(scopes, scopes, fc.boolean(), (requested, entitled, allowWildcards) => {
        const ceiling = withImplied(entitled);
        for (const scope of grantScopes(requested, { scopes: entitled, allowWildcards }, known)) {
          expect(known).toContain(scope);
          expect(ceiling.some((entry) => grants(entry, scope))).toBe(true);
          expect(requested.some((entry) => grants(entry, scope))).toBe(true);
        }
      }),
    );
  });

  test('a request for the granted scopes grants the same scopes', () => {
    fc.assert(
      fc.property(scopes, scopes, (requested, entitled) => {
        const entitlement = { scopes: entitled, allowWildcards: true };
        const granted = grantScopes(requested, entitlement, known);
        expect(grantScopes(granted, { ...entitlement, allowWildcards: false }, known)).toEqual(
          granted,
        );
      }),
    );
  });
});
