/** What a segment's filters ask of leads (contract b 9.3); a value of the caller's stays a value. Pure. */
import type { MATCHES, OPERATORS } from '../../models/segment.ts';
import { isId } from '../../view.ts';

/** One thing that is asked of a lead. */
export interface Filter {
  field: string;
  operator: (typeof OPERATORS)[number];
  value?: unknown;
}

/** Filters, of which a lead has to meet all or any. */
export interface Filters {
  match: (typeof MATCHES)[number];
  filters: Filter[];
}

type Kind = 'id' | 'text' | 'number' | 'time' | 'free';

const TEXTS = [
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
const KINDS = new Map<string, Kind>([
  ...['lead_id', 'createdBy', 'tags', ...TEXTS].map((field): [string, Kind] => [field, 'text']),
  ['_id', 'id'],
  ['status', 'number'],
  ['createdAt', 'time'],
  ['updatedAt', 'time'],
]);
const FREE = /^(attributes|properties)(\.[^.$\0][^.\0]*){0,8}$/;

const kindOf = (field: string): Kind | undefined => KINDS.get(field) ?? (FREE.test(field) ? 'free' : undefined);

const isScalar = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

/** A value is sent as text (specification 2.11): what it may stand for where nothing says of which type the stored one is. */
const meaningsOf = (value: unknown): unknown[] => {
  if (typeof value !== 'string') return [value];
  if (value === 'true' || value === 'false') return [value, value === 'true'];
  return value !== '' && String(Number(value)) === value && value !== 'NaN' ? [value, Number(value)] : [value];
};

const timesOf = (value: unknown): unknown[] => {
  const time = new Date(isScalar(value) && value !== '' ? (value as string) : Number.NaN);
  return Number.isNaN(time.getTime()) ? [] : [time];
};

/** The stored values that a filter's value stands for; none where it makes no sense for such a field. */
const VALUES: Record<Kind, (value: unknown) => unknown[]> = {
  id: (value) => (isId(value) ? [value] : []),
  text: (value) => (isScalar(value) ? [String(value)] : []),
  number: (value) => (isScalar(value) && value !== '' && Number.isFinite(Number(value)) ? [Number(value)] : []),
  time: timesOf,
  free: meaningsOf,
};

const literally = (text: unknown): string => String(text).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

const isPattern = (operator: Filter['operator']): boolean => operator === 'starts with' || operator === 'contains';
const isPresence = (operator: Filter['operator']): boolean => operator === 'is null' || operator === 'is not null';

const valuesOf = ({ field, operator, value }: Filter): unknown[] => {
  const kind = kindOf(field);
  if (!kind || value === undefined) return [];
  if (!isPattern(operator)) return VALUES[kind](value);
  return (kind === 'text' || kind === 'free') && isScalar(value) ? [value] : [];
};

/** What is wrong with a filter, or undefined. */
export const faultOf = (filter: Filter): { path: 'field' | 'value'; message: string } | undefined => {
  if (!kindOf(filter.field)) return { path: 'field', message: 'must be a field of leads' };
  if (isPresence(filter.operator) || valuesOf(filter).length) return undefined;
  return { path: 'value', message: `must be a value that ${filter.field} can be compared with by ${filter.operator}` };
};

const CONDITIONS: Record<Filter['operator'], (field: string, values: unknown[]) => object> = {
  '=': (field, values) => ({ [field]: { $in: values } }),
  '!=': (field, values) => ({ [field]: { $nin: values } }),
  '>': (field, values) => ({ $or: values.map((value) => ({ [field]: { $gt: value } })) }),
  '>=': (field, values) => ({ $or: values.map((value) => ({ [field]: { $gte: value } })) }),
  'starts with': (field, [text]) => ({ [field]: { $regex: `^${literally(text)}`, $options: 'i' } }),
  contains: (field, [text]) => ({ [field]: { $regex: literally(text) } }),
  'is null': (field) => ({ [field]: null }),
  'is not null': (field) => ({ [field]: { $ne: null } }),
};

const AS_IT_IS = (field: string): string => field;

/** Where a conversation has what is asked of its lead. */
export const inConversation = (field: string): string => (field === '_id' ? 'lead' : `snapshot.lead.${field}`);

/**
 * The condition that the filters make on the fields that `place` tells; those on the fields in `but` are left out, for something else is
 * asked of them.
 */
export const conditionOf = ({ match, filters }: Filters, but: string[] = [], place = AS_IT_IS): object => {
  const left = filters.filter(({ field }) => !but.includes(field));
  const conditions = left.map((filter) => CONDITIONS[filter.operator](place(filter.field), valuesOf(filter)));
  return conditions.length ? { [match === 'all' ? '$and' : '$or']: conditions } : {};
};
