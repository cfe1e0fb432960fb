/** Flags, numbers and texts as callers send them: in a query, a form or JSON, a flag or number may come as text. */
import { z } from 'zod';

const DECIMAL = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i;

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

const toFlag = (value: unknown): unknown =>
  typeof value === 'string' ? (FLAGS.get(value.trim().toLowerCase()) ?? value) : value;

const toNumber = (value: unknown): unknown =>
  typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value;

/** A boolean, or its text. */
export const flag = () => z.preprocess(toFlag, z.boolean());

/** A flag with an error of its own. */
export const flagOr = (params: { error: () => string }) => z.preprocess(toFlag, z.boolean(params));

/** A number between two bounds, both allowed, or its text. */
export const decimal = (least: number, most: number) => z.preprocess(toNumber, z.number().min(least).max(most));

/** An integer between two bounds, both allowed, or its text. */
export const integer = (least = Number.MIN_SAFE_INTEGER, most = Number.MAX_SAFE_INTEGER) =>
  z.preprocess(toNumber, z.number().int().min(least).max(most));

/** One of these numbers, or its text. */
export const oneOfNumbers = <const N extends number>(values: readonly N[], params?: { error: string }) =>
  z.preprocess(toNumber, z.literal(values as readonly [N, ...N[]], params));

const HIGH_SURROGATE = /[\uD800-\uDBFF]$/;

/** A text of which the first characters are kept, where it is only kept and shown: a longer one is no reason to refuse. */
export const cut = (most: number) =>
  z
    .string()
    .overwrite((text) => (text.length > most ? text.slice(0, most).replace(HIGH_SURROGATE, '') : text))
    .meta({ description: `Cut after ${most} characters` });
