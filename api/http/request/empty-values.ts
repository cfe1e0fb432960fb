/**
 * Removes empty values from the input of every endpoint: optional body fields that are null or an empty string, and
 * empty query values. A schema wrapped by `acceptEmpty` keeps them.
 */
import type { z } from 'zod';

type EmptyValue = '' | null;

const acceptedEmptyValues = new WeakMap<z.ZodType, readonly EmptyValue[]>();

/** Marks an optional field that accepts these empty values. Must be the outermost wrapper of the schema. */
export const acceptEmpty = <S extends z.ZodType>(schema: S, ...values: EmptyValue[]): S => {
  acceptedEmptyValues.set(schema, values);
  return schema;
};

/** The parts of a Zod schema that are read here; which ones exist depends on its type. */
interface SchemaParts {
  type: string;
  shape?: Record<string, z.ZodType>;
  element?: z.ZodType;
  innerType?: z.ZodType;
  in?: z.ZodType;
  options?: z.ZodType[];
  valueType?: z.ZodType;
}

const partsOf = (schema: z.ZodType): SchemaParts => schema._zod.def;

/** The rule of an object field: the values for which the field is removed, and the rules of other values. */
interface FieldRule {
  emptyValues: readonly EmptyValue[];
  rules?: CleaningRules;
}

/** The rules of a value: of its fields if it is an object, of its items, and of the values of a record. */
interface CleaningRules {
  fields?: Map<string, FieldRule>;
  items?: CleaningRules;
  values?: CleaningRules;
}

const isOptional = (schema: z.ZodType): boolean => schema._zod.optin !== undefined;

const fieldRule = (schema: z.ZodType): FieldRule => {
  const accepted = acceptedEmptyValues.get(schema) ?? [];
  const emptyValues = isOptional(schema) ? (['', null] as const).filter((value) => !accepted.includes(value)) : [];
  return { emptyValues, rules: rulesOf(schema) };
};

const mergeFields = (one: FieldRule, other: FieldRule): FieldRule => ({
  emptyValues: one.emptyValues.filter((value) => other.emptyValues.includes(value)),
  rules: mergeRules(one.rules, other.rules),
});

/**
 * The rules of a union, from those of two alternatives: a value is empty for a field if it is empty for the field in
 * every alternative that has it, at every depth.
 */
const mergeRules = (one?: CleaningRules, other?: CleaningRules): CleaningRules | undefined => {
  if (!one || !other) return one ?? other;
  const fields = new Map(one.fields);
  for (const [name, rule] of other.fields ?? []) {
    const existing = fields.get(name);
    fields.set(name, existing ? mergeFields(existing, rule) : rule);
  }
  return {
    ...(fields.size > 0 && { fields }),
    items: mergeRules(one.items, other.items),
    values: mergeRules(one.values, other.values),
  };
};

const createRules = (schema: z.ZodType): CleaningRules | undefined => {
  const { type, shape, element, innerType, options, valueType, ...parts } = partsOf(schema);
  if (shape) return { fields: new Map(Object.entries(shape).map(([name, field]) => [name, fieldRule(field)])) };
  if (type === 'array' && element) return nonEmpty({ items: rulesOf(element) });
  if (type === 'record' && valueType) return nonEmpty({ values: rulesOf(valueType) });
  if (type === 'union' && options) return options.map(rulesOf).reduce(mergeRules);
  if (type === 'pipe' && parts.in) return rulesOf(parts.in);
  return type !== 'lazy' && innerType ? rulesOf(innerType) : undefined;
};

const nonEmpty = (rules: CleaningRules): CleaningRules | undefined => (rules.items || rules.values) && rules;

const rulesCache = new WeakMap<z.ZodType, { rules?: CleaningRules }>();

const rulesOf = (schema: z.ZodType): CleaningRules | undefined => {
  const cached = rulesCache.get(schema) ?? { rules: createRules(schema) };
  rulesCache.set(schema, cached);
  return cached.rules;
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

const cleanFields = (value: Record<string, unknown>, fields: Map<string, FieldRule>): Record<string, unknown> => {
  let result = value;
  for (const [name, { emptyValues, rules }] of fields) {
    if (!Object.hasOwn(value, name)) continue;
    const item = value[name];
    const isEmpty = emptyValues.includes(item as EmptyValue);
    const cleaned = isEmpty ? undefined : clean(item, rules);
    if (!isEmpty && cleaned === item) continue;
    result = { ...result, [name]: cleaned };
    if (isEmpty) delete result[name];
  }
  return result;
};

/** Removes the empty values of a value. Returns the value itself if nothing changes, except in lists and records. */
const clean = (value: unknown, rules: CleaningRules | undefined): unknown => {
  if (!rules) return value;
  const { fields, items, values } = rules;
  if (Array.isArray(value)) return items ? value.map((item) => clean(item, items)) : value;
  if (!isObject(value)) return value;
  if (fields) return cleanFields(value, fields);
  return values ? Object.fromEntries(Object.entries(value).map(([name, item]) => [name, clean(item, values)])) : value;
};

/** A body without the empty values of its optional fields, at every depth that the schema describes. */
export const omitEmptyFields = (schema: z.ZodType, body: unknown): unknown => clean(body, rulesOf(schema));

/** A query without empty values. */
export const omitEmptyParameters = (query: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]): [string, unknown][] => {
      const cleaned = Array.isArray(value) ? value.filter((item) => item !== '') : value;
      return cleaned === '' || (Array.isArray(cleaned) && !cleaned.length) ? [] : [[name, cleaned]];
    }),
  );
