/** Tests whether a record belongs to a person, and whether it contains an email address or phone number of theirs. */
import type { PersonalDataRule } from '../../models/personal-data.ts';
import { addressPattern } from './patterns.ts';
import type { Person, PersonIds } from './person.ts';

type Fields = Record<string, unknown>;

/** Returns the values at a dotted path, including those inside lists, as strings. */
const valuesAt = (value: unknown, path: string[]): string[] => {
  const [name, ...rest] = path;
  if (value == null) return [];
  if (Array.isArray(value)) return value.flatMap((element) => valuesAt(element, path));
  if (name === undefined) return [String(value)];
  return typeof value === 'object' ? valuesAt((value as Fields)[name], rest) : [];
};

const hasOneOf = (record: Fields, paths: string[] = [], isOfPerson: (value: string) => boolean): boolean =>
  paths.some((path) => valuesAt(record, path.split('.')).some(isOfPerson));

/**
 * Returns whether a record belongs to the person. With `asAuthor`, this includes records that the person's account has
 * written. Email addresses are compared without regard to case.
 */
export const belongsTo = (
  record: Fields,
  rule: PersonalDataRule,
  { ids, asAuthor = false }: { ids: PersonIds; asAuthor?: boolean },
): boolean => {
  const isOneOf = (known: Set<string>) => (value: string) => known.has(value);
  return (
    hasOneOf(record, rule.person, isOneOf(ids.person)) ||
    hasOneOf(record, rule.visitor, isOneOf(asAuthor ? ids.person : ids.visitor)) ||
    hasOneOf(record, rule.conversation, isOneOf(ids.conversation)) ||
    hasOneOf(record, rule.address, (value) => ids.address.has(value.toLowerCase()))
  );
};

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
