/** Inputs that a schema refuses, made from its JSON schema. */
import type { JsonSchema } from './sample.ts';

const LONG = 'é'.repeat(5000);

/** Values of which each is wrong for most fields. */
export const WRONG: unknown[] = [{ a: 1 }, ['x'], true, -7.5, '???', LONG];

const branches = (schema: JsonSchema): JsonSchema[] => [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];

/** An input of the schema's shape with this value in every field of it, however deep. */
export const spoiled = (schema: JsonSchema, value: unknown): unknown => {
  const known = branches(schema).find(({ properties, items }) => properties ?? items);
  if (known?.properties) {
    const fields = Object.entries(known.properties);
    return Object.fromEntries(fields.map(([name, field]) => [name, spoiled(field, value)]));
  }
  const items = known?.items;
  return items && branches(items).some(({ properties }) => properties) ? [spoiled(items, value)] : value;
};

/** The fields of one of these types at the top of a schema. */
export const fieldsOfType = (schema: JsonSchema, types: string[]): string[] =>
  Object.entries(schema.properties ?? {})
    .filter(([, field]) => branches(field).some(({ type }) => types.includes(type as string)))
    .map(([name]) => name);
