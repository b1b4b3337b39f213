import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { install, makeOf, run } from '../clients/client.ts';

// Programs of others, fetched from their registries into a folder that stays between runs.

/** The first line that a program of this machine says about its version; undefined without it. */
export function versionOf(program: string, args: readonly string[]): string | undefined {
  const { error, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  return error ? undefined : (`${stdout}${stderr}`.trim().split('\n')[0] ?? '');
}

/** A program that cannot be fetched is missing, which is no failure. */
export function versionIf(version: string, fetch: () => void): string | undefined {
  try {
    fetch();
    return version;
  } catch (error) {
    console.error(error instanceof Error ? error.message.slice(0, 2_000) : error);
    return undefined;
  }
}

/** Installs packages from PyPI; returns the Python that has them. */
export function installPython(place: string, packages: readonly string[]): string {
  const program = join(place, 'bin', 'python3');
  install(place, packages, () => {
    run('python3', ['-m', 'venv', place]);
    run(program, ['-m', 'pip', 'install', '--quiet', ...packages]);
  });
  return program;
}

/** Installs packages from npm, and puts a script next to them. */
export function installNode(place: string, packages: readonly string[], script: string): void {
  install(place, packages, () => {
    writeFileSync(join(place, 'package.json'), '{"private":true}');
    run('npm', ['install', '--silent', '--save-exact', ...packages], { cwd: place });
  });
  cpSync(script, join(place, 'story.mjs'));
}

/** Builds the Go program of a folder as `program`; a build takes minutes on two cores. */
export function buildGo(place: string, source: string, packages: readonly string[]): void {
  const within = { cwd: place, timeout: 900_000 };
  install(place, packages, () => {
    writeFileSync(join(place, 'go.mod'), 'module example.com/story\n\ngo 1.25\n');
    cpSync(join(source, 'main.go'), join(place, 'main.go'));
    if (packages.length > 0) run('go', ['get', ...packages], within);
    run('go', ['mod', 'tidy'], within);
  });
  makeOf(place, [source], () => {
    cpSync(join(source, 'main.go'), join(place, 'main.go'));
    run('go', ['build', '-o', 'program', '.'], within);
  });
}

export type MavenPackage = readonly [group: string, artifact: string, version: string];

/** Compiles a Java program with packages of Maven; returns its class path. */
export function buildJava(
  place: string,
  source: string,
  packages: readonly MavenPackage[],
): string {
  const libraries = join(place, 'libs');
  const classes = join(place, 'classes');
  install(
    place,
    packages.map((parts) => parts.join(':')),
    () => {
      const dependencies = packages.map(
        ([group, artifact, version]) =>
          `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`,
      );
      writeFileSync(
        join(place, 'pom.xml'),
        `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>example</groupId><artifactId>story</artifactId><version>1</version><dependencies>${dependencies.join('')}</dependencies></project>`,
      );
      if (packages.length === 0) return;
      const copy = ['-q', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=libs'];
      run('mvn', copy, { cwd: place });
    },
  );
  makeOf(place, [source], () => {
    mkdirSync(classes, { recursive: true });
    run('javac', ['-cp', join(libraries, '*'), '-d', classes, source]);
  });
  return `${classes}:${libraries}/*`;
}
