import type { SettingsReader } from './settings-reader.ts';

/**
 * An environment variable. It is declared once: the reader, its errors, docs/settings.md and the
 * type of the configuration follow from it.
 */
export interface Setting<Value = unknown> {
  name: string;
  /** Markdown. Values, unit and range are in `takes`. */
  meaning: string;
  takes: string;
  /** Markdown of the default of `npm start` and of production; absent where there is none. */
  development: string | undefined;
  production: string | undefined;
  /** The danger of the setting, where it is on in development and not meant for production. */
  risk?: Risk;
  read(reader: SettingsReader): Value;
}

export interface Risk {
  /** Completes the sentence "With it, …". */
  opens: string;
  /** Whether production at a public address refuses it; otherwise it is a warning. */
  isRefused: boolean;
}

/** Settings by the field of the configuration that they become. */
export type SettingGroup = Readonly<Record<string, Setting>>;
export type ValuesOf<Group> = {
  readonly [Field in keyof Group]: Group[Field] extends Setting<infer Value> ? Value : never;
};

export function readGroup<Group extends SettingGroup>(
  group: Group,
  reader: SettingsReader,
): ValuesOf<Group>;
export function readGroup(group: SettingGroup, reader: SettingsReader): unknown {
  return Object.fromEntries(
    Object.entries(group).map(([field, setting]) => [field, setting.read(reader)]),
  );
}

export interface Described {
  meaning: string;
  /** Markdown of a default that is no plain value. */
  shown?: { development?: string; production?: string };
}

export interface Default<Value> {
  default: Value;
  /** Default of `npm start` where it is another one. */
  development?: Value;
}

export interface Kind<Value> {
  /** For the documentation. */
  takes: string;
  /** Completes "must be …" in the problem. */
  expected: string;
  /** Undefined for a value of another kind. */
  parse(given: string): NonNullable<Value> | undefined;
  show(value: NonNullable<Value>): string;
}

/** A setting of a kind. */
export function declare<Value>(
  name: string,
  { meaning, shown = {} }: Described,
  kind: Kind<Value>,
  defaults: { production: Value; development: Value },
): Setting<Value> {
  const show = (value: Value) =>
    value === undefined || value === null ? undefined : `\`${kind.show(value)}\``;
  return {
    name,
    meaning,
    takes: kind.takes,
    production: shown.production ?? show(defaults.production),
    development: shown.development ?? show(defaults.development),
    read(reader) {
      const fallback = reader.development ? defaults.development : defaults.production;
      const given = reader.text(name);
      if (given === undefined) return fallback;
      const value = kind.parse(given);
      if (value !== undefined) return value;
      reader.problems.push(`${name} must be ${kind.expected}`);
      return fallback;
    },
  };
}
