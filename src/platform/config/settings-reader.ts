import { readFileSync } from 'node:fs';
import { isPrivateHost } from './hosts.ts';
import type { SettingName } from './settings.ts';
import { parseUrl } from '../schema/rules.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The value of every secret in .env.example. */
const placeholder = 'change-me';

export type SettingsReader = ReturnType<typeof createSettingsReader>;

/**
 * Reads settings of each kind from an environment and collects the problems of all of them.
 * `development` selects the defaults of `npm start`; the production roots use the others.
 */
export function createSettingsReader(environment: Environment, development: boolean) {
  const problems: string[] = [];
  const warnings: string[] = [];
  const refusePlaceholder = (name: string, value: string) => {
    if (value !== placeholder) return;
    problems.push(`${name} has the value "${placeholder}" of .env.example: replace it`);
  };
  const text = (name: SettingName) => {
    const given = environment[name]?.trim() || undefined;
    if (given !== undefined) refusePlaceholder(name, given);
    return given;
  };
  const integer = (name: SettingName, fallback: number, min: number, max: number) => {
    const given = text(name);
    if (given === undefined) return fallback;
    const value = Number(given);
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    problems.push(`${name} must be an integer from ${String(min)} to ${String(max)}`);
    return fallback;
  };
  /** Undefined unless given. */
  const port = (name: SettingName) =>
    text(name) === undefined ? undefined : integer(name, 1, 1, 65_535);
  const share = (name: SettingName, fallback: number, min: number) => {
    const value = Number(text(name) ?? fallback);
    if (value >= min && value <= 1) return value;
    problems.push(`${name} must be a number from ${String(min)} to 1`);
    return fallback;
  };
  const flag = (name: SettingName, fallback: boolean) => {
    const given = text(name)?.toLowerCase();
    if (given === undefined) return fallback;
    if (given === 'true' || given === '1') return true;
    if (given === 'false' || given === '0') return false;
    problems.push(`${name} must be true or false`);
    return fallback;
  };
  const url = (name: SettingName, protocols: readonly string[]) => {
    const given = text(name);
    if (given === undefined) return undefined;
    const parsed = parseUrl(given);
    if (parsed && protocols.includes(parsed.protocol)) {
      refusePlaceholder(`The password in ${name}`, parsed.password);
      return given.replace(/\/+$/, '');
    }
    problems.push(`${name} must be a URL that begins with ${protocols.join(' or ')}//`);
    return undefined;
  };
  /** Pauses, given in seconds and returned in ms. */
  const schedule = (name: SettingName, fallbackSeconds: readonly number[]) => {
    const inMs = (seconds: readonly number[]) => seconds.map((value) => Math.round(value * 1_000));
    const given = text(name)?.split(',').map(Number);
    if (given === undefined) return inMs(fallbackSeconds);
    if (given.every((value) => value >= 0 && value <= 604_800)) return inMs(given);
    problems.push(`${name} must be seconds separated by commas, such as 0,5,300`);
    return inMs(fallbackSeconds);
  };

  const choice = <const Choice extends string>(name: SettingName, choices: readonly Choice[]) => {
    const given = text(name);
    const found = choices.find((one) => one === given);
    if (given !== undefined && found === undefined) {
      problems.push(`${name} must be one of ${choices.join(', ')}`);
    }
    return found;
  };
  /** Production needs the setting; development has a local substitute. */
  const required = (name: SettingName, value: string | undefined, hint: string) => {
    if (value === undefined && !development) problems.push(`${name} is required: ${hint}`);
    return value;
  };
  /** The path of a file that this process can read; `origin` is named in the problem. */
  const readable = (origin: string, path: string) => {
    try {
      readFileSync(path);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      problems.push(`${origin} names the file ${path}, which cannot be read (${code})`);
    }
    return path;
  };
  const file = (name: SettingName) => {
    const path = text(name);
    return path === undefined ? undefined : readable(name, path);
  };
  /** Variables that a library reads by itself, without empty ones. */
  const matching = (names: RegExp): Record<string, string> =>
    Object.fromEntries(
      Object.entries(environment).flatMap(([name, value]) => {
        const given = value?.trim() ?? '';
        return given !== '' && names.test(name) ? [[name, given]] : [];
      }),
    );
  /** A link without verified TLS: in production refused, unless the operator calls it private. */
  const acceptedLink = (name: SettingName, weakness: string) => {
    if (flag(name, false)) warnings.push(`${weakness}. Accepted by ${name}=true`);
    else if (!development) problems.push(`${weakness}, or set ${name}=true for a private network`);
  };
  const { PUBLIC_BASE_URL: publicUrl } = environment;
  const publicHost = parseUrl(publicUrl?.trim() ?? '')?.hostname;
  return {
    development,
    /** Whether clients of other networks reach the service. */
    isPublic: publicHost !== undefined && !isPrivateHost(publicHost),
    problems,
    warnings,
    text,
    integer,
    port,
    share,
    flag,
    url,
    schedule,
    choice,
    required,
    readable,
    file,
    matching,
    acceptedLink,
  };
}
