import { readFile } from 'node:fs/promises';
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { LocalFailure } from '../local/local-failure.ts';
import { writePrivate } from '../local/private-file.ts';
import type { DataDirectory } from './data-directory.ts';

/** `.onward/demo.json`: how to reach the local service, and a client that may do everything. */
export const DemoFile = Type.Object({
  base_url: Type.String(),
  docs_url: Type.String(),
  temporal_ui_url: Type.Optional(Type.String()),
  /** host:port of gRPC; absent from the file of an earlier version. */
  temporal_address: Type.Optional(Type.String()),
  temporal_namespace: Type.String(),
  client_id: Type.String(),
  client_secret: Type.String(),
  /** Secret of the addresses of the pages; absent from the file of an earlier version. */
  page_key: Type.Optional(Type.String()),
});
export type DemoFile = Static<typeof DemoFile>;

const compiled = Compile(DemoFile);

/** The file of the last start; undefined if it is missing or invalid. */
export async function readDemoFile(path: string): Promise<DemoFile | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'));
    return compiled.Check(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The same, or what to do first. */
export async function requireDemoFile(path: string): Promise<DemoFile> {
  const demo = await readDemoFile(path);
  if (demo) return demo;
  throw new LocalFailure(`There is no ${path}: start the service with \`npm start\`.`);
}

/** Also writes the same as variables, which `. .onward/env` sets in a shell. */
export async function writeDemoFile(
  { demo, environment }: Pick<DataDirectory, 'demo' | 'environment'>,
  file: DemoFile,
): Promise<void> {
  await writePrivate(demo, JSON.stringify(file, undefined, 2));
  const variables = {
    ONWARD_BASE_URL: file.base_url,
    ONWARD_CLIENT_ID: file.client_id,
    ONWARD_CLIENT_SECRET: file.client_secret,
  };
  const lines = Object.entries(variables).map(([name, value]) => `export ${name}='${value}'\n`);
  await writePrivate(environment, lines.join(''));
}
