/** Reads the input of a call: parses the body, removes empty values, and validates it with the endpoint's schemas. */
import type { Context } from 'koa';
import { koaBody } from 'koa-body';
import type { z } from 'zod';
import { config } from '#shared/config.ts';
import { AppError, invalidParameter } from '#shared/errors.ts';
import { predicateOf } from '#shared/wire/validation-messages.ts';
import type { Endpoint } from '../endpoint.ts';
import { tooLarge, validationError } from '../response/errors.ts';
import type { Upload } from './accepted-upload.ts';

const BODY_LIMITS = { normal: config.JSON_BODY_LIMIT, bulk: config.BULK_BODY_LIMIT };
const PARSED_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

const createParser = (limit: number) =>
  koaBody({
    jsonLimit: limit,
    formLimit: limit,
    text: false,
    multipart: false,
    parsedMethods: PARSED_METHODS as never,
  });

const parsers = { normal: createParser(BODY_LIMITS.normal), bulk: createParser(BODY_LIMITS.bulk) };

/** Maps an error of the parser to 413, 415 or 400; null for any other error. */
const parserError = (error: unknown, limit: number): AppError | null => {
  const { status, code = '' } = error as { status?: number; code?: string };
  if (status === 413) return tooLarge(limit);
  if (status === 415) return new AppError(415, 'UNSUPPORTED_ENCODING', 'The encoding of the body is not supported');
  const isMalformed = status === 400 || error instanceof SyntaxError || code.startsWith('Z_');
  return isMalformed ? new AppError(400, 'BAD_JSON', 'The body is not well-formed JSON') : null;
};

/** Maximum time to receive a body. */
const BODY_TIMEOUT_MS = 60_000;

/** Closes the connection if the body is not received in time. */
const withTimeLimit = async (ctx: Context, read: () => Promise<unknown>): Promise<void> => {
  const timer = setTimeout(() => ctx.req.destroy(), BODY_TIMEOUT_MS);
  try {
    await read();
  } finally {
    clearTimeout(timer);
  }
};

/** Maximum nesting of a body: more than any endpoint accepts, and safe for recursive functions. */
const MAX_BODY_DEPTH = 100;

const isDeeper = (value: unknown, levels: number): boolean =>
  value !== null &&
  typeof value === 'object' &&
  (levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1)));

/** Throws 422 for a field that is nested too deeply. Must run before validation, which is recursive. */
export const assertBodyDepth = (body: object): void => {
  const [field] = Object.entries(body).find(([, value]) => isDeeper(value, MAX_BODY_DEPTH - 1)) ?? [];
  if (field === undefined) return;
  const message = `${field} must be nested at most ${MAX_BODY_DEPTH} levels deep`;
  throw invalidParameter({ path: field, message, location: 'body', code: 'too_deep' });
};

/**
 * Reads the body as JSON or as a form; returns `{}` for an empty body. Throws 400 for malformed JSON, 413 if the size
 * limit is exceeded, 415 for an unsupported encoding, 422 for deep nesting.
 */
export const readBody = async (ctx: Context, size: Endpoint['bodySize'] = 'normal'): Promise<unknown> => {
  try {
    await withTimeLimit(ctx, () => parsers[size](ctx, async () => {}));
  } catch (error) {
    throw parserError(error, BODY_LIMITS[size]) ?? error;
  }
  const body = (ctx.request.body ?? {}) as object;
  assertBodyDepth(body);
  return body;
};

type EmptyValue = '' | null;

const acceptedEmptyValues = new WeakMap<z.ZodType, readonly EmptyValue[]>();

/** Marks an optional field that accepts the given empty values. Must be the outermost wrapper of the schema. */
export const acceptEmpty = <S extends z.ZodType>(schema: S, ...values: EmptyValue[]): S => {
  acceptedEmptyValues.set(schema, values);
  return schema;
};

/** The parts of a Zod schema that this file reads. Which of them exist depends on the type of the schema. */
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

/** The rule of an object field: the values for which the field is removed, and the rules for other values. */
interface FieldRule {
  emptyValues: readonly EmptyValue[];
  rules?: CleaningRules;
}

/** The rules of a value: for the fields of an object, the items of an array, or the values of a record. */
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
 * Merges the rules of two alternatives of a union. At every depth, a value counts as empty only if it is empty in all
 * alternatives that have the field.
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

/**
 * Removes the empty values inside a value. If there are none, returns the value itself, or a copy of a list or record.
 */
const clean = (value: unknown, rules: CleaningRules | undefined): unknown => {
  if (!rules) return value;
  const { fields, items, values } = rules;
  if (Array.isArray(value)) return items ? value.map((item) => clean(item, items)) : value;
  if (!isObject(value)) return value;
  if (fields) return cleanFields(value, fields);
  return values ? Object.fromEntries(Object.entries(value).map(([name, item]) => [name, clean(item, values)])) : value;
};

/** Returns the body without the empty values of its optional fields, at every depth that the schema describes. */
export const omitEmptyFields = (schema: z.ZodType, body: unknown): unknown => clean(body, rulesOf(schema));

/** Returns the query without empty values. */
export const omitEmptyParameters = (query: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]): [string, unknown][] => {
      const cleaned = Array.isArray(value) ? value.filter((item) => item !== '') : value;
      return cleaned === '' || (Array.isArray(cleaned) && !cleaned.length) ? [] : [[name, cleaned]];
    }),
  );

/** Throws 400 PARAMETER_MISSING for a parameter that none of the inputs has. `messages` maps parameters to messages. */
export const assertParameters = (messages: Record<string, string>, ...inputs: unknown[]): void => {
  for (const [name, text] of Object.entries(messages)) {
    const isPresent = inputs.some(
      (input) => !['', undefined, null].includes((input as Record<string, unknown>)?.[name] as string),
    );
    if (!isPresent)
      throw new AppError(400, 'PARAMETER_MISSING', text).with({
        body: { errors: [{ path: name, param: name, message: text, msg: text }] },
      });
  }
};

/** Validates input without its empty values. Throws 422 with an entry per invalid field. */
export const parseInput = (schema: z.ZodType | undefined, location: 'query' | 'body', input: unknown): unknown => {
  if (!schema) return {};
  const result = schema.safeParse(omitEmptyFields(schema, input), { error: predicateOf });
  if (!result.success) throw validationError(result.error, location, input);
  return result.data;
};

/** Returns the non-empty query parameters; adds the header `Last-Event-ID` as `after`, or an upload's form fields. */
export const queryInput = ({ streams }: Endpoint, ctx: Context, upload?: Upload) => {
  const after = streams === 'only' ? ctx.get('last-event-id') : '';
  return omitEmptyParameters(after ? { ...ctx.query, after } : { ...ctx.query, ...upload?.fields });
};
