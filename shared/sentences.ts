/**
 * What is wrong with a value, for every kind of issue, in one table. A predicate follows the name of the parameter
 * (`limit` `must be an integer from 1 to 1000`); a schema with an error of its own gives its predicate there.
 */
import type { z } from 'zod';

type Raw = z.core.$ZodRawIssue & { schema?: unknown };
type Issue = z.core.$ZodIssue;

const TYPES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const FORMATS: Record<string, string> = {
  email: 'an e-mail address',
  url: 'an absolute URL',
  datetime: 'a time in ISO 8601',
  date: 'a date in ISO 8601',
};

const UNITS: Record<string, [one: string, many: string]> = {
  string: ['character', 'characters'],
  array: ['item', 'items'],
};

/** Most values that a sentence lists. */
const MOST_VALUES = 50;

const listOf = (values: readonly unknown[]): string => {
  const more = values.length > MOST_VALUES ? ', …' : '';
  return `${values.slice(0, MOST_VALUES).map(String).join(', ')}${more}`;
};

const oneOf = (values: readonly unknown[]): string =>
  values.length === 1 ? `must be ${String(values[0])}` : `must be one of ${listOf(values)}`;

const within = (least: number | undefined, most: number | undefined): string => {
  if (least === undefined) return most === undefined ? '' : ` of at most ${most}`;
  return most === undefined ? ` of at least ${least}` : ` from ${least} to ${most}`;
};

/** Bounds as a number's schema has them; those of all safe integers are none. */
const boundOf = (bound: unknown): number | undefined =>
  typeof bound === 'number' && Math.abs(bound) < Number.MAX_SAFE_INTEGER ? bound : undefined;

/** The whole rule of a number, whichever part of it is broken. */
const numberRule = ({ schema }: Raw, isInteger = false): string => {
  const { minValue, maxValue, isInt } = (schema ?? {}) as Partial<z.ZodNumber>;
  const name = isInt || isInteger ? 'an integer' : 'a number';
  return `must be ${name}${within(boundOf(minValue), boundOf(maxValue))}`;
};

const counted = (n: number, origin: string): string => {
  const [one, many] = UNITS[origin] ?? ['part', 'parts'];
  return `${n} ${n === 1 ? one : many}`;
};

const tooBig = (issue: Raw): string => {
  const { origin, maximum } = issue as { origin?: string; maximum?: number };
  if (origin === 'number' || origin === 'int') return numberRule(issue);
  return `must have at most ${counted(Number(maximum), String(origin))}`;
};

const tooSmall = (issue: Raw): string => {
  const { origin, minimum } = issue as { origin?: string; minimum?: number };
  if (origin === 'number' || origin === 'int') return numberRule(issue);
  if (origin === 'string' && issue.input === '') return 'is required';
  return `must have at least ${counted(Number(minimum), String(origin))}`;
};

const wrongType = (issue: Raw): string => {
  const { expected = '' } = issue as { expected?: string };
  if (expected === 'number' || expected === 'int') return numberRule(issue, expected === 'int');
  return `must be ${TYPES[expected] ?? expected}`;
};

const wrongFormat = ({ format, pattern }: { format?: string; pattern?: string }): string => {
  const name = FORMATS[format ?? ''];
  if (name) return `must be ${name}`;
  return pattern ? `must match ${pattern}` : `must be in the format ${format}`;
};

const MUST_BE = 'must be ';

/** Alternatives as one predicate. */
const either = (predicates: string[]): string => {
  const distinct = [...new Set(predicates)];
  const alike = distinct.every((predicate) => predicate.startsWith(MUST_BE));
  return alike
    ? MUST_BE + distinct.map((predicate) => predicate.slice(MUST_BE.length)).join(' or ')
    : distinct.join(', or ');
};

/** Of alternatives the one whose form the value has tells what is wrong inside; else all say what they are. */
const noneOf = (issue: Raw): string => {
  const { errors = [], options = [] } = issue as { errors?: Issue[][]; options?: unknown[] };
  const closest = errors.find((branch) => branch.length && branch.every(({ path }) => path.length))?.[0];
  if (closest) return `is not allowed: ${sentence(closest.path.map(String).join('.'), closest.message)}`;
  const own = errors.flatMap((branch) => branch.filter(({ path }) => !path.length).map(({ message }) => message));
  if (own.length) return either(own);
  return options.length ? oneOf(options) : 'has a form that is not allowed';
};

const wrongName = ({ issues = [] }: { issues?: Issue[] }): string =>
  `is not an allowed name: it ${issues[0]?.message ?? 'is not allowed'}`;

const TABLE: Record<string, (issue: Raw) => string> = {
  invalid_type: wrongType,
  invalid_value: (issue) => oneOf((issue as { values?: unknown[] }).values ?? []),
  invalid_format: (issue) => wrongFormat(issue as { format?: string; pattern?: string }),
  too_big: tooBig,
  too_small: tooSmall,
  not_multiple_of: (issue) => `must be a multiple of ${(issue as { divisor?: number }).divisor}`,
  unrecognized_keys: (issue) => `must not have ${listOf((issue as { keys?: string[] }).keys ?? [])}`,
  invalid_union: noneOf,
  invalid_key: (issue) => wrongName(issue as { issues?: Issue[] }),
};

/** A value of another kind than a refusal of what is there: nothing is there. */
const isMissing = ({ code, input }: Raw): boolean => input === undefined && code !== 'custom';

/** The predicate of an issue, for a schema without an error of its own. */
export const predicateOf = (issue: Raw): string =>
  isMissing(issue) ? 'is required' : (TABLE[issue.code ?? '']?.(issue) ?? 'is not allowed');

const PREDICATE = /^[a-z]/;

/** A parameter and what is wrong with it as one sentence. */
export const sentence = (name: string, predicate: string): string =>
  PREDICATE.test(predicate) ? `${name} ${predicate}` : `${name}: ${predicate}`;
