/**
 * Schemas that accept what clients send: null for an absent field, and booleans and numbers as strings, because queries
 * and forms contain only strings.
 */
import { z } from 'zod';

const DECIMAL_TEXT = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i;

const FLAG_TEXTS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

const toFlag = (value: unknown): unknown =>
  typeof value === 'string' ? (FLAG_TEXTS.get(value.trim().toLowerCase()) ?? value) : value;

const toNumber = (value: unknown): unknown =>
  typeof value === 'string' && DECIMAL_TEXT.test(value) ? Number(value) : value;

/** A boolean, or `true`, `false`, `1` or `0` as a string. */
export const flag = () => z.preprocess(toFlag, z.boolean());

/** Like `flag`, with a custom error message, to which the name of the field is added (see validation-messages.ts). */
export const flagWithError = (params: { error: () => string }) => z.preprocess(toFlag, z.boolean(params));

/** A number between two inclusive bounds, or that number as a string. */
export const decimal = (min: number, max: number) => z.preprocess(toNumber, z.number().min(min).max(max));

/** An integer between two inclusive bounds, or that integer as a string. */
export const integer = (min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER) =>
  z.preprocess(toNumber, z.number().int().min(min).max(max));

/** One of these numbers, or that number as a string. */
export const oneOfNumbers = <const N extends number>(values: readonly N[], params?: { error: string }) =>
  z.preprocess(toNumber, z.literal(values as readonly [N, ...N[]], params));

const HIGH_SURROGATE = /[\uD800-\uDBFF]$/;

/** A string that is truncated rather than rejected if it is too long, for fields that are only stored and shown. */
export const truncatedText = (maxLength: number) =>
  z
    .string()
    .overwrite((text) => (text.length > maxLength ? text.slice(0, maxLength).replace(HIGH_SURROGATE, '') : text))
    .meta({ description: `Truncated to ${maxLength} characters` });

/** An optional field; null is treated as absent, because deployed clients send it. */
export const optional = <S extends z.ZodType>(schema: S) => schema.nullish().transform((value) => value ?? undefined);

/** An optional string with a maximum length. */
export const optionalText = (maxLength: number) => optional(z.string().max(maxLength));

/** A string that contains JSON, which is parsed. */
export const jsonText = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue('must be JSON');
        return z.NEVER;
      }
    });
