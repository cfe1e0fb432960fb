/**
 * Removes empty values from the input of every endpoint: optional body fields that are null or an empty string, and
 * empty query values. A schema wrapped by `acceptEmpty` keeps them.
 */
import type { z } from 'zod';

type EmptyValue = '' | null;
type Cleaner = (value: unknown) => unknown;

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

/** The rule of an object field: the values for which the field is removed, and the cleaner of other values. */
interface FieldRule {
  emptyValues: readonly EmptyValue[];
  clean?: Cleaner;
}

const isOptional = (schema: z.ZodType): boolean => schema._zod.optin !== undefined;

const fieldRule = (schema: z.ZodType): FieldRule => {
  const accepted = acceptedEmptyValues.get(schema) ?? [];
  const emptyValues = isOptional(schema) ? (['', null] as const).filter((value) => !accepted.includes(value)) : [];
  return { emptyValues, clean: cleanerOf(schema) };
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

const fieldsCleaner =
  (fields: Map<string, FieldRule>): Cleaner =>
  (value) => {
    if (!isObject(value)) return value;
    let result = value;
    for (const [name, { emptyValues, clean }] of fields) {
      if (!Object.hasOwn(value, name)) continue;
      const item = value[name];
      const isEmpty = emptyValues.includes(item as EmptyValue);
      const cleaned = isEmpty ? undefined : clean?.(item);
      if (!isEmpty && (cleaned === undefined || cleaned === item)) continue;
      result = { ...result, [name]: cleaned };
      if (isEmpty) delete result[name];
    }
    return result;
  };

const itemsCleaner = (clean?: Cleaner): Cleaner | undefined =>
  clean && ((value) => (Array.isArray(value) ? value.map(clean) : value));

const valuesCleaner = (clean?: Cleaner): Cleaner | undefined =>
  clean &&
  ((value) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, item]) => [name, clean(item)])) : value);

const fieldRules = (shape: Record<string, z.ZodType>): Map<string, FieldRule> =>
  new Map(Object.entries(shape).map(([name, schema]) => [name, fieldRule(schema)]));

/** Cleaner of a union: a value is empty for a field if it is empty for the field in every alternative that has it. */
const alternativesCleaner = (alternatives: z.ZodType[]): Cleaner | undefined => {
  const shapes = alternatives.flatMap((alternative) => {
    const { shape } = partsOf(alternative);
    return shape ? [fieldRules(shape)] : [];
  });
  if (!shapes.length) return undefined;
  const names = new Set(shapes.flatMap((fields) => [...fields.keys()]));
  const merged = [...names].map((name): [string, FieldRule] => {
    const rules = shapes.flatMap((fields) => fields.get(name) ?? []);
    const emptyValues = (['', null] as const).filter((value) =>
      rules.every((rule) => rule.emptyValues.includes(value)),
    );
    return [name, { emptyValues, clean: rules.find(({ clean }) => clean)?.clean }];
  });
  return fieldsCleaner(new Map(merged));
};

const cleanerCache = new WeakMap<z.ZodType, { clean?: Cleaner }>();

const createCleaner = (schema: z.ZodType): Cleaner | undefined => {
  const { type, shape, element, innerType, options, valueType, ...parts } = partsOf(schema);
  if (shape) return fieldsCleaner(fieldRules(shape));
  if (type === 'array' && element) return itemsCleaner(cleanerOf(element));
  if (type === 'record' && valueType) return valuesCleaner(cleanerOf(valueType));
  if (type === 'union' && options) return alternativesCleaner(options);
  if (type === 'pipe' && parts.in) return cleanerOf(parts.in);
  return type !== 'lazy' && innerType ? cleanerOf(innerType) : undefined;
};

const cleanerOf = (schema: z.ZodType): Cleaner | undefined => {
  const cached = cleanerCache.get(schema) ?? { clean: createCleaner(schema) };
  cleanerCache.set(schema, cached);
  return cached.clean;
};

/** A body without the empty values of its optional fields, at every depth that the schema describes. */
export const omitEmptyFields = (schema: z.ZodType, body: unknown): unknown => cleanerOf(schema)?.(body) ?? body;

/** A query without empty values. */
export const omitEmptyParameters = (query: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]): [string, unknown][] => {
      const cleaned = Array.isArray(value) ? value.filter((item) => item !== '') : value;
      return cleaned === '' || (Array.isArray(cleaned) && !cleaned.length) ? [] : [[name, cleaned]];
    }),
  );
