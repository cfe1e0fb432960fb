/**
 * What says nothing is absent, for every endpoint: an optional field of a body that is null or empty, and an empty value
 * of a query. Where a schema says that the empty text or null has a meaning, it is kept.
 */
import type { z } from 'zod';

type Empty = '' | null;
type Clean = (value: unknown) => unknown;

const meanings = new WeakMap<z.ZodType, readonly Empty[]>();

/** An optional field in which these empty values say something; applied last. */
export const means = <S extends z.ZodType>(schema: S, ...values: Empty[]): S => {
  meanings.set(schema, values);
  return schema;
};

/** The parts of a schema that its kind has. */
interface Parts {
  type: string;
  shape?: Record<string, z.ZodType>;
  element?: z.ZodType;
  innerType?: z.ZodType;
  in?: z.ZodType;
  options?: z.ZodType[];
  valueType?: z.ZodType;
}

const partsOf = (schema: z.ZodType): Parts => schema._zod.def;

/** A field of an object: which empty values leave it out, and what is left out within it. */
interface Field {
  drops: readonly Empty[];
  clean?: Clean;
}

const isOptional = (schema: z.ZodType): boolean => schema._zod.optin !== undefined;

const fieldOf = (schema: z.ZodType): Field => {
  const kept = meanings.get(schema) ?? [];
  const drops = isOptional(schema) ? (['', null] as const).filter((value) => !kept.includes(value)) : [];
  return { drops, clean: cleanOf(schema) };
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

const ofFields =
  (fields: Map<string, Field>): Clean =>
  (value) => {
    if (!isObject(value)) return value;
    let left = value;
    for (const [name, { drops, clean }] of fields) {
      if (!Object.hasOwn(value, name)) continue;
      const item = value[name];
      const isEmpty = drops.includes(item as Empty);
      const kept = isEmpty ? undefined : clean?.(item);
      if (!isEmpty && (kept === undefined || kept === item)) continue;
      left = { ...left, [name]: kept };
      if (isEmpty) delete left[name];
    }
    return left;
  };

const ofItems = (clean?: Clean): Clean | undefined =>
  clean && ((value) => (Array.isArray(value) ? value.map(clean) : value));

const ofValues = (clean?: Clean): Clean | undefined =>
  clean &&
  ((value) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, item]) => [name, clean(item)])) : value);

const fieldsOf = (shape: Record<string, z.ZodType>): Map<string, Field> =>
  new Map(Object.entries(shape).map(([name, schema]) => [name, fieldOf(schema)]));

/** A value of several possible forms: a field is left out where every form that has it would leave it out. */
const ofForms = (forms: z.ZodType[]): Clean | undefined => {
  const shapes = forms.flatMap((form) => {
    const { shape } = partsOf(form);
    return shape ? [fieldsOf(shape)] : [];
  });
  if (!shapes.length) return undefined;
  const names = new Set(shapes.flatMap((fields) => [...fields.keys()]));
  const merged = [...names].map((name): [string, Field] => {
    const known = shapes.flatMap((fields) => fields.get(name) ?? []);
    const drops = (['', null] as const).filter((value) => known.every((field) => field.drops.includes(value)));
    return [name, { drops, clean: known.find(({ clean }) => clean)?.clean }];
  });
  return ofFields(new Map(merged));
};

const cleaned = new WeakMap<z.ZodType, { clean?: Clean }>();

const made = (schema: z.ZodType): Clean | undefined => {
  const { type, shape, element, innerType, options, valueType, ...parts } = partsOf(schema);
  if (shape) return ofFields(fieldsOf(shape));
  if (type === 'array' && element) return ofItems(cleanOf(element));
  if (type === 'record' && valueType) return ofValues(cleanOf(valueType));
  if (type === 'union' && options) return ofForms(options);
  if (type === 'pipe' && parts.in) return cleanOf(parts.in);
  return type !== 'lazy' && innerType ? cleanOf(innerType) : undefined;
};

const cleanOf = (schema: z.ZodType): Clean | undefined => {
  const known = cleaned.get(schema) ?? { clean: made(schema) };
  cleaned.set(schema, known);
  return known.clean;
};

/** A body without the optional fields that say nothing. */
export const withoutEmpty = (schema: z.ZodType, body: unknown): unknown => cleanOf(schema)?.(body) ?? body;

/** A query without the values that are empty. */
export const withoutEmptyValues = (query: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]): [string, unknown][] => {
      const left = Array.isArray(value) ? value.filter((item) => item !== '') : value;
      return left === '' || (Array.isArray(left) && !left.length) ? [] : [[name, left]];
    }),
  );
