import type { TSchema } from 'typebox';

/** Keeps what a schema names. */
export type Cleaner = (value: unknown) => unknown;

const keep: Cleaner = (value) => value;

/**
 * Compiles a response schema into the only presenter: fields that the schema does not name are
 * dropped, so that a secret column cannot leave, and optional fields without a value are left out
 * (DECISIONS 2).
 */
export function cleaner(schema: TSchema | undefined): Cleaner {
  if (schema === undefined) return keep;
  if ('items' in schema && isSchema(schema.items)) {
    const item = cleaner(schema.items);
    if (item === keep) return keep;
    return (value) => (Array.isArray(value) ? value.map(item) : value);
  }
  if (!('properties' in schema) || !isRecord(schema.properties)) return keep;
  if ('additionalProperties' in schema && schema.additionalProperties === true) return keep;
  const required = new Set(
    'required' in schema && Array.isArray(schema.required) ? schema.required : [],
  );
  const fields = Object.entries(schema.properties).map(([name, property]) => ({
    name,
    clean: isSchema(property) ? cleaner(property) : keep,
    isRequired: required.has(name),
  }));
  return (value) => {
    if (!isRecord(value)) return value;
    const shown: Record<string, unknown> = {};
    for (const { name, clean, isRequired } of fields) {
      const field = value[name];
      if (field === undefined || (field === null && !isRequired)) continue;
      shown[name] = clean === keep ? field : clean(field);
    }
    return shown;
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isSchema(value: unknown): value is TSchema {
  return isRecord(value);
}
