import { expect, test } from '@jest/globals';
import { findSchemaFaults } from './schema-files.ts';

const migration = (name: string, text = 'create table notes (\n  id uuid\n);') => ({
  path: `src/platform/database/migrations/${name}.sql`,
  text,
});
const functions = (name: string, text: string) => ({
  path: `src/platform/database/functions/${name}.sql`,
  text,
});
const counting = 'create or replace function count_notes() returns trigger language plpgsql as $$';
const faultsOf = (...files: { path: string; text: string }[]) =>
  findSchemaFaults(files).map((fault) => fault.replaceAll('src/platform/database/', ''));

test('migrations with consecutive numbers, and functions in their folder, are accepted', () => {
  const commented = '-- Not by pg_get_functiondef; no create function mine() here.';
  expect(
    faultsOf(
      migration('0002-notes', commented),
      migration('0001-foundation'),
      functions('notes', `${counting}\n${counting.replace('count', 'list')}`),
    ),
  ).toEqual([]);
});

test('a gap, a repeated number and a name without a number are reported', () => {
  expect(faultsOf(migration('0001-a'), migration('0003-b'))).toEqual([
    'migrations/0003-b.sql: the number of this migration must be 0002',
  ]);
  expect(faultsOf(migration('0001-a'), migration('0001-b'), migration('notes'))).toEqual([
    'migrations/0001-b.sql: the number of this migration must be 0002',
    'migrations/notes.sql: the number of this migration must be 0003',
  ]);
});

test('a function or procedure in a migration is reported', () => {
  const text = 'create function a() returns int;\nCREATE OR REPLACE\nPROCEDURE b()';
  expect(faultsOf(migration('0001-a', text))).toEqual([
    'migrations/0001-a.sql: define a in the folder functions/',
    'migrations/0001-a.sql: define b in the folder functions/',
  ]);
});

test('a function that is defined twice, or cannot be applied again, is reported', () => {
  expect(faultsOf(functions('a', counting), functions('b', counting))).toEqual([
    'functions/b.sql: functions/a.sql defines count_notes as well',
  ]);
  expect(faultsOf(functions('a', 'create function a() returns int'))).toEqual([
    'functions/a.sql: define a by `create or replace`',
  ]);
});

test('a function that is edited in the database is reported', () => {
  const text = "execute replace(pg_get_functiondef(counting), 'a', 'b')";
  expect(faultsOf(migration('0001-a', text), functions('a', text))).toEqual([
    'migrations/0001-a.sql: write the function out instead of editing pg_get_functiondef',
    'functions/a.sql: write the function out instead of editing pg_get_functiondef',
  ]);
});
