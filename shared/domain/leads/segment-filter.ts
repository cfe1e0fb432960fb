/** Converts the filters of a segment to MongoDB conditions. The caller's values are never interpreted as operators. */
import type { FILTER_MATCHES, FILTER_OPERATORS } from '../../models/segment.ts';
import { isId } from '../../wire/view.ts';

/** A condition on one field of a lead. */
export interface LeadFilter {
  field: string;
  operator: (typeof FILTER_OPERATORS)[number];
  value?: unknown;
}

/** Filters of leads. `match` states whether a lead must meet all or any of them. */
export interface LeadFilters {
  match: (typeof FILTER_MATCHES)[number];
  filters: LeadFilter[];
}

type FieldKind = 'id' | 'text' | 'number' | 'time' | 'free';

const TEXT_FIELDS = [
  'fullname',
  'email',
  'phone',
  'company',
  'note',
  'streetAddress',
  'city',
  'region',
  'zipcode',
  'country',
];
const FIELD_KINDS = new Map<string, FieldKind>([
  ...['lead_id', 'createdBy', 'tags', ...TEXT_FIELDS].map((field): [string, FieldKind] => [field, 'text']),
  ['_id', 'id'],
  ['status', 'number'],
  ['createdAt', 'time'],
  ['updatedAt', 'time'],
]);
const FREE_FIELD = /^(attributes|properties)(\.[^.$\0][^.\0]*){0,8}$/;

const kindOf = (field: string): FieldKind | undefined =>
  FIELD_KINDS.get(field) ?? (FREE_FIELD.test(field) ? 'free' : undefined);

const isScalar = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

/** Returns every value that a string can represent, because clients send all values of free-form fields as strings. */
const possibleValues = (value: unknown): unknown[] => {
  if (typeof value !== 'string') return [value];
  if (value === 'true' || value === 'false') return [value, value === 'true'];
  return value !== '' && String(Number(value)) === value && value !== 'NaN' ? [value, Number(value)] : [value];
};

const timeValues = (value: unknown): unknown[] => {
  const time = new Date(isScalar(value) && value !== '' ? (value as string) : Number.NaN);
  return Number.isNaN(time.getTime()) ? [] : [time];
};

/**
 * Parsers of a filter's value, by the kind of its field. They return the stored values that the value represents; an
 * empty list if the value is invalid.
 */
const VALUE_PARSERS: Record<FieldKind, (value: unknown) => unknown[]> = {
  id: (value) => (isId(value) ? [value] : []),
  text: (value) => (isScalar(value) ? [String(value)] : []),
  number: (value) => (isScalar(value) && value !== '' && Number.isFinite(Number(value)) ? [Number(value)] : []),
  time: timeValues,
  free: possibleValues,
};

const escapeRegExp = (text: unknown): string => String(text).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

const isPattern = (operator: LeadFilter['operator']): boolean => operator === 'starts with' || operator === 'contains';
const isPresence = (operator: LeadFilter['operator']): boolean => operator === 'is null' || operator === 'is not null';

const parsedValues = ({ field, operator, value }: LeadFilter): unknown[] => {
  const kind = kindOf(field);
  if (!kind || value === undefined) return [];
  if (!isPattern(operator)) return VALUE_PARSERS[kind](value);
  return (kind === 'text' || kind === 'free') && isScalar(value) ? [value] : [];
};

/** Returns why a filter is invalid; undefined for a valid one. */
export const findFilterFault = (filter: LeadFilter): { path: 'field' | 'value'; message: string } | undefined => {
  if (!kindOf(filter.field)) return { path: 'field', message: 'must be a field of leads' };
  if (isPresence(filter.operator) || parsedValues(filter).length) return undefined;
  return {
    path: 'value',
    message: `must be a value that the operator "${filter.operator}" can compare with the field ${filter.field}`,
  };
};

/** Builders of conditions, by operator. As the API defines, `starts with` ignores case and `contains` does not. */
const CONDITION_BUILDERS: Record<LeadFilter['operator'], (field: string, values: unknown[]) => object> = {
  '=': (field, values) => ({ [field]: { $in: values } }),
  '!=': (field, values) => ({ [field]: { $nin: values } }),
  '>': (field, values) => ({ $or: values.map((value) => ({ [field]: { $gt: value } })) }),
  '>=': (field, values) => ({ $or: values.map((value) => ({ [field]: { $gte: value } })) }),
  'starts with': (field, [text]) => ({ [field]: { $regex: `^${escapeRegExp(text)}`, $options: 'i' } }),
  contains: (field, [text]) => ({ [field]: { $regex: escapeRegExp(text) } }),
  'is null': (field) => ({ [field]: null }),
  'is not null': (field) => ({ [field]: { $ne: null } }),
};

const sameField = (field: string): string => field;

/** Maps a field of a lead to its path in conversations. */
export const conversationField = (field: string): string => (field === '_id' ? 'lead' : `snapshot.lead.${field}`);

/**
 * Returns the MongoDB condition for the filters. `except` lists the fields whose filters are left out; `fieldPath` maps
 * a field to its path in the documents.
 */
export const toCondition = ({ match, filters }: LeadFilters, except: string[] = [], fieldPath = sameField): object => {
  const remaining = filters.filter(({ field }) => !except.includes(field));
  const conditions = remaining.map((filter) =>
    CONDITION_BUILDERS[filter.operator](fieldPath(filter.field), parsedValues(filter)),
  );
  return conditions.length ? { [match === 'all' ? '$and' : '$or']: conditions } : {};
};
