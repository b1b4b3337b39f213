import { isIP } from 'node:net';
import { isCidr } from '../schema/fields.ts';
import { parseUrl } from '../schema/rules.ts';
import { declare } from './setting.ts';
import type { Default, Described, Kind, Risk, Setting } from './setting.ts';

const none = { production: undefined, development: undefined };
const both = <Value>({ default: usual, development = usual }: Default<Value>) => ({
  production: usual,
  development,
});

interface Range {
  /** Lowest and highest value. */
  range: readonly [number, number];
}

const integers = ({ range: [min, max] }: Range, unit = ''): Kind<number> => ({
  takes: `${String(min)} to ${String(max)}${unit}`,
  expected: `an integer from ${String(min)} to ${String(max)}`,
  parse(given) {
    const value = Number(given);
    return Number.isInteger(value) && value >= min && value <= max ? value : undefined;
  },
  show: String,
});

export function integer(
  name: string,
  declared: Described & Default<number> & Range & { unit?: string },
): Setting<number> {
  const unit = declared.unit === undefined ? '' : ` ${declared.unit}`;
  return declare(name, declared, integers(declared, unit), both(declared));
}

const ports = integers({ range: [1, 65_535] });

export function port(name: string, declared: Described & Default<number>): Setting<number> {
  return declare(name, declared, ports, both(declared));
}

/** A port that is open only where the setting names it. */
export function optionalPort(name: string, declared: Described): Setting<number | undefined> {
  return declare<number | undefined>(name, declared, ports, none);
}

/** A whole number of seconds; the value is in milliseconds. */
export function seconds(
  name: string,
  declared: Described & Default<number> & Range,
): Setting<number> {
  const { read, ...rest } = integer(name, { unit: 's', ...declared });
  return { ...rest, read: (reader) => read(reader) * 1_000 };
}

/** A whole number of percent; the value is a share from 0 to 1. */
export function percent(name: string, declared: Described & Default<number>): Setting<number> {
  const { read, ...rest } = integer(name, { range: [0, 100], unit: '%', ...declared });
  return { ...rest, read: (reader) => read(reader) / 100 };
}

/** A share from `min` to 1. */
export function share(
  name: string,
  declared: Described & Default<number> & { min: number },
): Setting<number> {
  const range = `${String(declared.min)} to 1`;
  const kind: Kind<number> = {
    takes: range,
    expected: `a number from ${range}`,
    parse: (given) =>
      Number(given) >= declared.min && Number(given) <= 1 ? Number(given) : undefined,
    show: String,
  };
  return declare(name, declared, kind, both(declared));
}

const words = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);
const flags: Kind<boolean> = {
  takes: '`true` or `false`',
  expected: 'true or false',
  parse: (given) => words.get(given.toLowerCase()),
  show: String,
};

export function flag(name: string, declared: Described & Default<boolean>): Setting<boolean> {
  return declare(name, declared, flags, both(declared));
}

/** A switch that is on in development alone; production refuses it or warns of it. */
export function developmentSwitch(
  name: string,
  { risk, ...described }: Described & { risk: Risk },
): Setting<boolean> {
  const setting = flag(name, { ...described, default: false, development: true });
  return {
    ...setting,
    risk,
    read(reader) {
      const isOn = setting.read(reader);
      if (!isOn || reader.development) return isOn;
      if (risk.isRefused && reader.isPublic) {
        reader.problems.push(`${name}=true is for development: ${risk.opens}. Remove it`);
      } else reader.warnings.push(`${name}=true: ${risk.opens}`);
      return isOn;
    },
  };
}

const longestPauseSeconds = 604_800;

/** Pauses, declared and given in seconds; the value is in milliseconds. */
export function schedule(
  name: string,
  declared: Described & Default<readonly number[]>,
): Setting<readonly number[]> {
  const kind: Kind<readonly number[]> = {
    takes: `seconds separated by commas, 0 to ${String(longestPauseSeconds)} each`,
    expected: 'seconds separated by commas, such as 0,5,300',
    parse(given) {
      const pauses = given.split(',').map(Number);
      return pauses.every((pause) => pause >= 0 && pause <= longestPauseSeconds)
        ? pauses
        : undefined;
    },
    show: (pauses) => pauses.join(','),
  };
  const { read, ...rest } = declare(name, declared, kind, both(declared));
  return { ...rest, read: (reader) => read(reader).map((pause) => Math.round(pause * 1_000)) };
}

const texts: Kind<string> = {
  takes: 'text',
  expected: 'text',
  parse: (given) => given,
  show: String,
};

export function text(name: string, declared: Described & Default<string>): Setting<string>;
export function text(name: string, declared: Described): Setting<string | undefined>;
export function text(
  name: string,
  declared: Described & Partial<Default<string>>,
): Setting<string | undefined> {
  const { default: usual, development = usual } = declared;
  return declare<string | undefined>(name, declared, texts, { production: usual, development });
}

export function choice<const Choice extends string>(
  name: string,
  choices: readonly Choice[],
  declared: Described & Default<NoInfer<Choice>>,
): Setting<Choice>;
export function choice<const Choice extends string>(
  name: string,
  choices: readonly Choice[],
  declared: Described,
): Setting<Choice | undefined>;
export function choice<const Choice extends string>(
  name: string,
  choices: readonly Choice[],
  declared: Described & Partial<Default<Choice>>,
): Setting<Choice | undefined> {
  const { default: usual, development = usual } = declared;
  const kind: Kind<Choice> = {
    takes: choices.map((one) => `\`${one}\``).join(', '),
    expected: `one of ${choices.join(', ')}`,
    parse: (given) => choices.find((one) => one === given),
    show: String,
  };
  return declare<Choice | undefined>(name, declared, kind, { production: usual, development });
}

/** An address without a slash at its end. Production needs one with `required`, which says what it is. */
export function url(
  name: string,
  protocols: readonly string[],
  declared: Described & { required?: string },
): Setting<string | undefined> {
  const { required, ...described } = declared;
  const starts = protocols.map((protocol) => (protocol === 'mailto:' ? protocol : `${protocol}//`));
  const shown = {
    ...(required !== undefined && { production: 'required' }),
    ...described.shown,
  };
  const kind: Kind<string> = {
    takes: `address with ${starts.map((start) => `\`${start}\``).join(' or ')}`,
    expected: `a URL that begins with ${starts.join(' or ')}`,
    parse: (given) =>
      protocols.includes(parseUrl(given)?.protocol ?? '') ? given.replace(/\/+$/, '') : undefined,
    show: String,
  };
  const setting = declare<string | undefined>(name, { ...described, shown }, kind, none);
  return {
    ...setting,
    read(reader) {
      const value = setting.read(reader);
      if (value !== undefined) {
        reader.refusePlaceholder(`The password in ${name}`, parseUrl(value)?.password);
      } else if (required !== undefined && !reader.development) {
        reader.problems.push(`${name} is required: ${required}`);
      }
      return value;
    },
  };
}

/** The path of a file that this process can read. */
export function file(name: string, declared: Described): Setting<string | undefined> {
  const setting = text(name, declared);
  return {
    ...setting,
    takes: 'path of a file',
    read(reader) {
      const path = setting.read(reader);
      return path === undefined ? undefined : reader.readable(name, path);
    },
  };
}

/** Entries separated by commas; `parse` answers undefined for one that is none. */
function list(
  name: string,
  described: Described,
  {
    takes,
    example,
    parse,
  }: { takes: string; example: string; parse(entry: string): string | undefined },
): Setting<readonly string[]> {
  const setting = text(name, described);
  return {
    ...setting,
    takes: `${takes} separated by commas`,
    read(reader) {
      const entries = (setting.read(reader) ?? '').split(',').map((entry) => entry.trim());
      return entries.filter(Boolean).flatMap((entry) => {
        const value = parse(entry);
        if (value !== undefined) return [value];
        reader.problems.push(`${name} has "${entry}": give ${example}`);
        return [];
      });
    },
  };
}

/** Networks in CIDR notation. */
export const networks = (name: string, described: Described) =>
  list(name, described, {
    takes: 'networks (CIDR)',
    example: 'networks such as 203.0.113.0/24',
    parse: (entry) => (isCidr(entry) ? entry : undefined),
  });

/** Domains, in the form of a URL's host: ASCII and lower case. */
export const domains = (name: string, described: Described) =>
  list(name, described, {
    takes: 'domains',
    example: 'domains such as example.com',
    parse(entry) {
      const address = `https://${entry.replace(/^\*?\./, '')}/`;
      const domain = /[/?#@:\s]/.test(entry) ? '' : (parseUrl(address)?.hostname ?? '');
      return domain !== '' && isIP(domain) === 0 ? domain : undefined;
    },
  });
