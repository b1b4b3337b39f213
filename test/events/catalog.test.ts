import { existsSync, readdirSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { eventTypes } from '../../src/app/event-catalog.ts';

const src = new URL('../../src/', import.meta.url);

const isNamed = (value: unknown): value is { name: string } =>
  typeof value === 'object' && value !== null && 'name' in value;

test('the catalog contains every event type that a capability declares', async () => {
  const files = readdirSync(src)
    .map((capability) => new URL(`${capability}/events.ts`, src))
    .filter((file) => existsSync(file));
  const modules: Record<string, unknown>[] = await Promise.all(
    files.map((file) => import(file.href)),
  );
  const declared = modules.flatMap((module) => Object.values(module).flat().filter(isNamed));
  expect(declared.length).toBeGreaterThan(50);
  expect(declared.filter(({ name }) => !(name in eventTypes))).toEqual([]);
});
