import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { Type } from 'typebox';
import { endpoints } from '../../src/app/endpoints.ts';
import { problemFinder } from '../../src/platform/http/validate.ts';
import { useTestApi } from '../support/use-test-api.ts';
import { verdict } from '../widget/a-widget.ts';
import { cpuMsSince } from '../support/cpu-time.ts';

const uuid = JSON.stringify(randomUUID());

const api = useTestApi();

describe('a body of repeated items', () => {
  // The promise is about time: up to a minute of one process before, with everything else waiting.
  test.each([
    ['/v2/partner/contacts', 'POST', 'tags', 90_000, '"a"'],
    [`/v2/partner/cohorts/${randomUUID()}/members/add`, 'POST', 'contact_ids', 25_000, uuid],
  ])('does not stop the process: %s', async (path, method, field, count, item) => {
    const team = await api.newTeam();
    const items = Array.from({ length: count }, () => item).join(',');
    const begun = process.cpuUsage();
    const reply = await team.call(method, path, { raw: `{"${field}":[${items}]}` });
    expect(verdict(reply)).toBe('422 validation_failed');
    expect(cpuMsSince(begun)).toBeLessThan(8_000);
  });
});

describe('a repeated item', () => {
  const strings = Type.Array(Type.String(), { maxItems: 3, uniqueItems: true });
  const find = problemFinder(
    Type.Object({
      tags: Type.Union([strings, Type.Null()]),
      rows: Type.Array(Type.Object({ tags: Type.Optional(strings), other: Type.Any() })),
    }),
  );
  const rulesOf = (value: unknown) =>
    find(value).map(({ meta }) => `${String(meta?.['pointer'])} ${String(meta?.['rule'])}`);

  test.each([
    [{ tags: null, rows: [] }, []],
    [{ tags: ['a', 'b'], rows: [{ other: ['a', 'a'] }] }, []],
    [{ tags: ['a', 'a'], rows: [] }, ['/tags format']],
    [
      { tags: ['a'], rows: [{ other: 1 }, { tags: ['b', 'b'], other: 1 }] },
      ['/rows/1/tags format'],
    ],
    [{ tags: ['a', 'a', 'a', 'a'], rows: [] }, ['/tags max_length']],
    [{ tags: ['a', 'a'], rows: 1 }, ['/rows type', '/tags format']],
  ])('is reported at every position in a body: %j', (value, expected) => {
    expect(rulesOf(value)).toEqual(expected);
  });

  test('is possible only in schemas that the check searches', () => {
    const lost: string[] = [];
    const known = /^(\/(properties\/[^/]+|items|(anyOf|allOf)\/\d+))*$/;
    const look = (schema: unknown, at: string, id: string): void => {
      if (typeof schema !== 'object' || schema === null) return;
      if ('uniqueItems' in schema && !known.test(at)) lost.push(id + at);
      for (const [name, value] of Object.entries(schema)) look(value, `${at}/${name}`, id);
    };
    for (const { id, body } of endpoints) look(body, '', id);
    expect(lost).toEqual([]);
  });
});
