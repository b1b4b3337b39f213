import { readFileSync } from 'node:fs';
import { isPrivateHost } from './hosts.ts';
import { parseUrl } from '../schema/rules.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The value of every secret in .env.example. */
const placeholder = 'change-me';

export type SettingsReader = ReturnType<typeof createSettingsReader>;

/**
 * Reads an environment for the declared settings, and collects the problems of all of them.
 * `development` selects the defaults of `npm start`; the production roots use the others.
 */
export function createSettingsReader(environment: Environment, development: boolean) {
  const problems: string[] = [];
  const warnings: string[] = [];
  const refusePlaceholder = (name: string, value: string | undefined) => {
    if (value !== placeholder) return;
    problems.push(`${name} has the value "${placeholder}" of .env.example: replace it`);
  };
  const { PUBLIC_BASE_URL: publicUrl } = environment;
  const publicHost = parseUrl(publicUrl?.trim() ?? '')?.hostname;
  return {
    development,
    /** Whether clients of other networks reach the service. */
    isPublic: publicHost !== undefined && !isPrivateHost(publicHost),
    problems,
    warnings,
    refusePlaceholder,

    text(name: string): string | undefined {
      const given = environment[name]?.trim() || undefined;
      refusePlaceholder(name, given);
      return given;
    },

    /** The path of a file that this process can read; `origin` is named in the problem. */
    readable(origin: string, path: string): string {
      try {
        readFileSync(path);
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? String(error.code) : '';
        problems.push(`${origin} names the file ${path}, which cannot be read (${code})`);
      }
      return path;
    },

    /** Variables that a library reads by itself, without empty ones. */
    matching: (names: RegExp): Record<string, string> =>
      Object.fromEntries(
        Object.entries(environment).flatMap(([name, value]) => {
          const given = value?.trim() ?? '';
          return given !== '' && names.test(name) ? [[name, given]] : [];
        }),
      ),

    /** A link without verified TLS: in production refused, unless `name` calls it private. */
    acceptLink(name: string, isPrivate: boolean, weakness: string): void {
      if (isPrivate) warnings.push(`${weakness}. Accepted by ${name}=true`);
      else if (!development) {
        problems.push(`${weakness}, or set ${name}=true for a private network`);
      }
    },
  };
}
