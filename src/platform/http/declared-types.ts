import type { Static, TSchema } from 'typebox';

/** The parameters that a path names. */
export type ParamsOf<Path extends string> = string extends Path
  ? Record<string, string>
  : Path extends `${string}{${infer Name}}${infer Rest}`
    ? Record<Name, string> & ParamsOf<Rest>
    : unknown;

export type StaticOr<Schema, Fallback> = Schema extends TSchema ? Static<Schema> : Fallback;

/** A row with more columns than the schema names is fine: the extra ones never leave. */
export type Shown<Schema> = Schema extends TSchema ? Loose<Static<Schema>> : undefined;
type Loose<Value> = Value extends readonly (infer Item)[]
  ? readonly Loose<Item>[]
  : Value extends object
    ? { [Key in keyof Value as undefined extends Value[Key] ? never : Key]: Loose<Value[Key]> } & {
        [Key in keyof Value as undefined extends Value[Key] ? Key : never]?:
          Loose<Exclude<Value[Key], undefined>> | null | undefined;
      }
    : Value;
