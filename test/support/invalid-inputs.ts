/** Inputs that a schema refuses, made from its JSON schema. */
import type { JsonSchema } from './schema-samples.ts';

const LONG_TEXT = 'é'.repeat(5000);

/** Values that most schemas refuse. */
export const WRONG_VALUES: unknown[] = [{ a: 1 }, ['x'], true, -7.5, '???', LONG_TEXT];

const branches = (schema: JsonSchema): JsonSchema[] => [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];

/** An input with the schema's shape and `value` in every field, including those of nested objects. */
export const fillWith = (schema: JsonSchema, value: unknown): unknown => {
  const known = branches(schema).find(({ properties, items }) => properties ?? items);
  if (known?.properties) {
    const fields = Object.entries(known.properties);
    return Object.fromEntries(fields.map(([name, field]) => [name, fillWith(field, value)]));
  }
  const items = known?.items;
  return items && branches(items).some(({ properties }) => properties) ? [fillWith(items, value)] : value;
};

/** The top-level fields of a schema that have one of these types. */
export const fieldsOfType = (schema: JsonSchema, types: string[]): string[] =>
  Object.entries(schema.properties ?? {})
    .filter(([, field]) => branches(field).some(({ type }) => types.includes(type as string)))
    .map(([name]) => name);
