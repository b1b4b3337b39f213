import type { Problem } from '../../../platform/http/errors.ts';

const mark = Symbol('bad record');

/** Replaces an item that could not be read: it fails with these problems. */
export interface BadRecord {
  [mark]: true;
  errors: readonly [Problem, ...Problem[]];
}

export function badRecord(...errors: readonly [Problem, ...Problem[]]): BadRecord {
  return { [mark]: true, errors };
}

export function isBadRecord(item: unknown): item is BadRecord {
  return typeof item === 'object' && item !== null && mark in item;
}
