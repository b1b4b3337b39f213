import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { home, install, makeOf, run, tell } from './client.ts';
import type { Client } from './client.ts';

// Clients of OpenAPI Generator, which is a program of Java. A compiler of Java takes minutes for a
// client of everything on two cores.

const version = '7.17.0';
const document = resolve('test/contract/openapi.json');
const stories = resolve('test/clients/openapi-generator');
const patience = { timeout: 900_000 };

/** The program, from Maven. */
function generator(): string {
  const directory = join(home, 'openapi-generator');
  install(directory, [`openapi-generator-cli ${version}`], () => {
    writeFileSync(
      join(directory, 'pom.xml'),
      `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>example</groupId><artifactId>generator</artifactId><version>1</version><dependencies><dependency><groupId>org.openapitools</groupId><artifactId>openapi-generator-cli</artifactId><version>${version}</version></dependency></dependencies></project>`,
    );
    copyLibraries(directory, ['-DexcludeTransitive=true']);
  });
  return join(directory, 'libs', `openapi-generator-cli-${version}.jar`);
}

function copyLibraries(directory: string, options: readonly string[] = []): void {
  const copy = ['-q', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=libs', ...options];
  run('mvn', copy, { cwd: directory, ...patience });
}

function generate(language: string, to: string, options: readonly string[]): void {
  rmSync(to, { recursive: true, force: true });
  // Tests and pages of the client, which nobody reads here.
  const extras = ['apiTests', 'modelTests', 'apiDocs', 'modelDocs'].map((name) => `${name}=false`);
  run(
    'java',
    [
      ...['-jar', generator(), 'generate', '-g', language, '-i', document, '-o', to],
      ...['--global-property', ['skipFormModel=false', ...extras].join(','), ...options],
    ],
    { maxBuffer: 1_000_000_000, ...patience },
  );
}

const needs = ['java', 'javac', 'mvn'];

export const java: Client = {
  name: 'java',
  needs,
  make() {
    const directory = join(home, 'java');
    const made = join(directory, 'made');
    const libraries = join(made, 'libs');
    const classes = join(directory, 'classes');
    mkdirSync(directory, { recursive: true });
    makeOf(directory, [document, 'test/clients/openapi-generator.ts'], () => {
      const properties = ['--additional-properties', 'useSingleRequestParameter=true'];
      generate('java', made, ['--library', 'okhttp-gson', ...properties]);
      copyLibraries(made);
      const sources = join(made, 'src', 'main', 'java');
      const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.java'))
        .map((name) => join(sources, name));
      writeFileSync(join(made, 'sources'), files.join('\n'));
      rmSync(classes, { recursive: true, force: true });
      compile([`@${join(made, 'sources')}`], classes, join(libraries, '*'));
    });
    const path = `${classes}:${join(libraries, '*')}`;
    const own = join(directory, 'story');
    compile([join(stories, 'Story.java')], own, path);
    return tell(['java', '-cp', `${own}:${path}`, 'Story']);
  },
};

function compile(sources: readonly string[], to: string, classPath: string): void {
  const options = ['-nowarn', '-proc:none', '-cp', classPath, '-d', to];
  run('javac', [...options, ...sources], patience);
}

const pythonPackages = [
  ...['urllib3==2.8.0', 'python-dateutil==2.9.0.post0', 'pydantic==2.14.4'],
  'typing-extensions==4.16.0',
];

export const python: Client = {
  name: 'python-openapi-generator',
  needs,
  make() {
    const directory = join(home, 'python-openapi-generator');
    const program = join(directory, 'bin', 'python3');
    install(directory, pythonPackages, () => {
      run('python3', ['-m', 'venv', directory]);
      run(program, ['-m', 'pip', 'install', '--quiet', ...pythonPackages]);
    });
    const made = join(directory, 'made');
    makeOf(directory, [document, 'test/clients/openapi-generator.ts'], () => {
      generate('python', made, []);
    });
    cpSync(join(stories, 'story.py'), join(made, 'story.py'));
    return tell([program, join(made, 'story.py')]);
  },
};
