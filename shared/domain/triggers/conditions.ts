/**
 * Evaluates the conditions of triggers. Conditions are data that admins write: they are compared in this process with
 * the payload's own properties, and never become part of a query.
 */
import type { ConditionOperator } from '../../triggers/definitions.ts';

/** The value with which a condition compares a fact. */
type ComparedValue = string | number | boolean | null;

/** A condition of a trigger. */
export interface Condition {
  path?: string | null;
  operator: ConditionOperator;
  value?: ComparedValue;
}

/** The conditions of a trigger. */
export interface Conditions {
  all: Condition[];
  any: Condition[];
}

/** The payload that conditions are evaluated against. */
export type Facts = Record<string, unknown>;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const ownProperty = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? (value as Facts)[name] : undefined;

/**
 * Returns the value at a path such as `channel.name` or `participants.0`; undefined if there is none. `$.` or a dot at
 * the beginning, and brackets around an index, are accepted.
 */
export const valueAt = (facts: Facts, path = ''): unknown =>
  path
    .replace(/\[(\d+)\]/g, '.$1')
    .replace(/^\$/, '')
    .split('.')
    .filter(Boolean)
    .reduce<unknown>(ownProperty, facts);

const toNumber = (value: unknown): number =>
  typeof value === 'number' || (typeof value === 'string' && value.trim() !== '') ? Number(value) : Number.NaN;

/** Converts the ids and times of a payload to strings; returns other values unchanged. */
const scalarOf = (value: unknown): unknown => {
  if (value instanceof Date) return value.toISOString();
  return isObject(value) && !Array.isArray(value) && '_bsontype' in value ? String(value) : value;
};

const isEqual = (fact: unknown, value: unknown): boolean => (scalarOf(fact) ?? null) === value;

const isListed = (fact: unknown, value: unknown): boolean =>
  Array.isArray(fact) && fact.some((item) => isEqual(item, value));

/** The operator `in` of the API: whether the fact contains the value, not the reverse. */
const includes = (fact: unknown, value: unknown): boolean =>
  typeof fact === 'string' ? value !== null && fact.includes(String(value)) : isListed(fact, value);

const hasProperty = (fact: unknown, value: unknown): boolean => isObject(fact) && Object.hasOwn(fact, String(value));

/**
 * The operators: each returns whether a fact meets a condition with this value. An absent fact has no properties or
 * items.
 */
const OPERATORS: Record<ConditionOperator, (fact: unknown, value: ComparedValue) => boolean> = {
  equal: isEqual,
  notEqual: (fact, value) => !isEqual(fact, value),
  in: includes,
  notIn: (fact, value) => !includes(fact, value),
  contains: isListed,
  doesNotContain: (fact, value) => !isListed(fact, value),
  lessThan: (fact, value) => toNumber(fact) < toNumber(value),
  lessThanInclusive: (fact, value) => toNumber(fact) <= toNumber(value),
  greaterThan: (fact, value) => toNumber(fact) > toNumber(value),
  greaterThanInclusive: (fact, value) => toNumber(fact) >= toNumber(value),
  hasOwnProperty: hasProperty,
  notHasOwnProperty: (fact, value) => !hasProperty(fact, value),
};

/** Returns whether one of the conditions reads this fact. */
export const readsFact = ({ all, any }: Conditions, name: string): boolean =>
  [...all, ...any].some(({ path }) => path?.replace(/^\$?\.?/, '') === name);

/** Returns whether facts meet the conditions: one of `any` or, if `any` is empty, all of `all`. */
export const meetsConditions = (facts: Facts, { all, any }: Conditions): boolean => {
  const holds = ({ path, operator, value = null }: Condition) => OPERATORS[operator](valueAt(facts, path ?? ''), value);
  return any.length ? any.some(holds) : all.every(holds);
};
