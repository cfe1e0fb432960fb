/** Tests whether a record belongs to a person, and whether it contains an email address or phone number of theirs. */
import type { PersonalDataRule } from '../../models/personal-data.ts';
import { addressPattern } from './patterns.ts';
import type { Person, PersonIds } from './person.ts';

type Fields = Record<string, unknown>;

/** Returns the values at a dotted path, including those inside lists, as strings. */
const valuesAt = (value: unknown, [name, ...rest]: string[]): string[] => {
  if (value == null) return [];
  if (Array.isArray(value)) return value.flatMap((element) => valuesAt(element, [name ?? '', ...rest]));
  if (name === undefined) return [String(value)];
  return typeof value === 'object' ? valuesAt((value as Fields)[name], rest) : [];
};

const hasOneOf = (record: Fields, paths: string[] = [], ids: Set<string>): boolean =>
  ids.size > 0 && paths.some((path) => valuesAt(record, path.split('.')).some((value) => ids.has(value)));

/**
 * Returns whether a record belongs to the person. With `asAuthor`, this includes records that the person's account has
 * written.
 */
export const belongsTo = (
  record: Fields,
  rule: PersonalDataRule,
  { ids, asAuthor = false }: { ids: PersonIds; asAuthor?: boolean },
): boolean =>
  hasOneOf(record, rule.person, ids.person) ||
  hasOneOf(record, rule.visitor, asAuthor ? ids.person : ids.visitor) ||
  hasOneOf(record, rule.conversation, ids.conversation) ||
  hasOneOf(lowerCase(record, rule.address), rule.address, ids.address);

const lowerCase = (record: Fields, paths: string[] = []): Fields =>
  Object.fromEntries(paths.map((path) => [path, String(record[path]).toLowerCase()]));

/** Returns a function that tests whether a text in a record contains an email address or phone number of the person. */
export const createAddressTest = (person: Person) => {
  const pattern = addressPattern(person);
  const containsAddress = (value: unknown): boolean => {
    if (typeof value === 'string') return value.search(pattern) >= 0;
    if (Buffer.isBuffer(value)) return value.toString().search(pattern) >= 0;
    return typeof value === 'object' && value !== null && Object.values(value).some(containsAddress);
  };
  return containsAddress;
};
