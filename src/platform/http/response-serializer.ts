import type { TSchema } from 'typebox';

/** Reduces a value to the fields of a schema. */
export type Cleaner = (value: unknown) => unknown;

const keep: Cleaner = (value) => value;

/**
 * Compiles a response schema into the only presenter: fields that the schema does not name are
 * dropped, so that a secret column cannot leave, and optional fields without a value are left out
 * (ADR 2).
 */
export function createSerializer(schema: TSchema | undefined): Cleaner {
  if (schema === undefined) return keep;
  if ('items' in schema && isSchema(schema.items)) {
    const item = createSerializer(schema.items);
    if (item === keep) return keep;
    return (value) => (Array.isArray(value) ? value.map(item) : value);
  }
  if ('anyOf' in schema && Array.isArray(schema.anyOf)) {
    // Only "this or null" is cleaned; other unions are scalars here.
    const branches = schema.anyOf.filter((branch) => isRecord(branch) && branch['type'] !== 'null');
    const only: unknown = branches[0];
    return branches.length === 1 && isSchema(only) ? createSerializer(only) : keep;
  }
  if (!('properties' in schema) || !isRecord(schema.properties)) return keep;
  if ('additionalProperties' in schema && schema.additionalProperties === true) return keep;
  const required = new Set(
    'required' in schema && Array.isArray(schema.required) ? schema.required : [],
  );
  const fields = Object.entries(schema.properties).map(([name, property]) => ({
    name,
    clean: isSchema(property) ? createSerializer(property) : keep,
    keepsNull: required.has(name) || (isSchema(property) && admitsNull(property)),
  }));
  return (value) => {
    if (!isRecord(value)) return value;
    const shown: Record<string, unknown> = {};
    for (const { name, clean, keepsNull } of fields) {
      const field = value[name];
      if (field === undefined || (field === null && !keepsNull)) continue;
      shown[name] = clean === keep ? field : clean(field);
    }
    return shown;
  };
}

function admitsNull(schema: TSchema): boolean {
  if (!('anyOf' in schema) || !Array.isArray(schema.anyOf)) return false;
  return schema.anyOf.some((branch: unknown) => isRecord(branch) && branch['type'] === 'null');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isSchema(value: unknown): value is TSchema {
  return isRecord(value);
}
