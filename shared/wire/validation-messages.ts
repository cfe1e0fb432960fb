/**
 * The error messages of validation. Each issue that Zod reports becomes a predicate, which follows the name of the
 * parameter: `limit` + `must be an integer from 1 to 1000`. A schema with a custom error supplies its own predicate.
 */
import type { z } from 'zod';

type RawIssue = z.core.$ZodRawIssue & { schema?: unknown };
type Issue = z.core.$ZodIssue;

const TYPE_NAMES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const FORMAT_NAMES: Record<string, string> = {
  email: 'an email address',
  url: 'an absolute URL',
  datetime: 'a time in ISO 8601 format',
  date: 'a date in ISO 8601 format',
};

const UNIT_NAMES: Record<string, [one: string, many: string]> = {
  string: ['character', 'characters'],
  array: ['item', 'items'],
};

/** Maximum number of values listed in a message. */
const MAX_LISTED_VALUES = 50;

const joinValues = (values: readonly unknown[]): string => {
  const ellipsis = values.length > MAX_LISTED_VALUES ? ', …' : '';
  return `${values.slice(0, MAX_LISTED_VALUES).map(String).join(', ')}${ellipsis}`;
};

const oneOf = (values: readonly unknown[]): string =>
  values.length === 1 ? `must be ${String(values[0])}` : `must be one of ${joinValues(values)}`;

const rangeText = (min: number | undefined, max: number | undefined): string => {
  if (min === undefined) return max === undefined ? '' : ` of at most ${max}`;
  return max === undefined ? ` of at least ${min}` : ` from ${min} to ${max}`;
};

/**
 * A bound of a number schema; undefined for the bounds of the safe integers, because these mean that the schema sets no
 * bound.
 */
const finiteBound = (bound: unknown): number | undefined =>
  typeof bound === 'number' && Math.abs(bound) < Number.MAX_SAFE_INTEGER ? bound : undefined;

/** States both the type and the range that a number must have, even if only one of them is violated. */
const numberRule = ({ schema }: RawIssue, isInteger = false): string => {
  const { minValue, maxValue, isInt } = (schema ?? {}) as Partial<z.ZodNumber>;
  const name = isInt || isInteger ? 'an integer' : 'a number';
  return `must be ${name}${rangeText(finiteBound(minValue), finiteBound(maxValue))}`;
};

const countText = (count: number, origin: string): string => {
  const [one, many] = UNIT_NAMES[origin] ?? ['part', 'parts'];
  return `${count} ${count === 1 ? one : many}`;
};

const tooBig = (issue: RawIssue): string => {
  const { origin, maximum } = issue as { origin?: string; maximum?: number };
  if (origin === 'number' || origin === 'int') return numberRule(issue);
  return `must have at most ${countText(Number(maximum), String(origin))}`;
};

const tooSmall = (issue: RawIssue): string => {
  const { origin, minimum } = issue as { origin?: string; minimum?: number };
  if (origin === 'number' || origin === 'int') return numberRule(issue);
  if (origin === 'string' && issue.input === '') return 'is required';
  return `must have at least ${countText(Number(minimum), String(origin))}`;
};

const typePredicate = (issue: RawIssue): string => {
  const { expected = '' } = issue as { expected?: string };
  if (expected === 'number' || expected === 'int') return numberRule(issue, expected === 'int');
  return `must be ${TYPE_NAMES[expected] ?? expected}`;
};

const formatPredicate = ({ format, pattern }: { format?: string; pattern?: string }): string => {
  const name = FORMAT_NAMES[format ?? ''];
  if (name) return `must be ${name}`;
  return pattern ? `must match ${pattern}` : `must be in the format ${format}`;
};

const MUST_BE = 'must be ';

/** Joins the predicates of alternatives into one. */
const joinAlternatives = (predicates: string[]): string => {
  const distinct = [...new Set(predicates)];
  const allMustBe = distinct.every((predicate) => predicate.startsWith(MUST_BE));
  return allMustBe
    ? MUST_BE + distinct.map((predicate) => predicate.slice(MUST_BE.length)).join(' or ')
    : distinct.join(', or ');
};

/**
 * Returns the predicate for a value that no alternative of a union accepts. If one alternative rejects only fields of
 * the value, names the first of these fields; otherwise lists all alternatives.
 */
const unionPredicate = (issue: RawIssue): string => {
  const { errors = [], options = [] } = issue as { errors?: Issue[][]; options?: unknown[] };
  const closest = errors.find((branch) => branch.length && branch.every(({ path }) => path.length))?.[0];
  if (closest) return `is not allowed: ${sentence(closest.path.map(String).join('.'), closest.message)}`;
  const ownPredicates = errors.flatMap((branch) =>
    branch.filter(({ path }) => !path.length).map(({ message }) => message),
  );
  if (ownPredicates.length) return joinAlternatives(ownPredicates);
  return options.length ? oneOf(options) : 'has a form that is not allowed';
};

const keyPredicate = ({ issues = [] }: { issues?: Issue[] }): string =>
  `is not an allowed name: it ${issues[0]?.message ?? 'is not allowed'}`;

const PREDICATES: Record<string, (issue: RawIssue) => string> = {
  invalid_type: typePredicate,
  invalid_value: (issue) => oneOf((issue as { values?: unknown[] }).values ?? []),
  invalid_format: (issue) => formatPredicate(issue as { format?: string; pattern?: string }),
  too_big: tooBig,
  too_small: tooSmall,
  not_multiple_of: (issue) => `must be a multiple of ${(issue as { divisor?: number }).divisor}`,
  unrecognized_keys: (issue) => `must not have ${joinValues((issue as { keys?: string[] }).keys ?? [])}`,
  invalid_union: unionPredicate,
  invalid_key: (issue) => keyPredicate(issue as { issues?: Issue[] }),
};

/** Whether the value is missing, as opposed to rejected by a custom rule. */
const isMissing = ({ code, input }: RawIssue): boolean => input === undefined && code !== 'custom';

/** Returns the predicate for an issue of a schema without a custom error. */
export const predicateOf = (issue: RawIssue): string =>
  isMissing(issue) ? 'is required' : (PREDICATES[issue.code ?? '']?.(issue) ?? 'is not allowed');

const PREDICATE_START = /^[a-z]/;

/**
 * Joins the name of a parameter and its predicate into a sentence. A predicate that begins with a capital letter
 * follows a colon.
 */
export const sentence = (name: string, predicate: string): string =>
  PREDICATE_START.test(predicate) ? `${name} ${predicate}` : `${name}: ${predicate}`;
