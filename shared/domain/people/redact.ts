/** Replaces the personal data in a document. */
import { valuePattern } from './patterns.ts';
import type { Person, PersonIds } from './person.ts';

/** Replaces an erased text. */
export const ERASED = '[erased]';

type Fields = Record<string, unknown>;

/** Fields with the id of the person whom an object describes. */
const IDENTIFYING_FIELDS = ['_id', 'id', 'lead_id', 'id_user', 'uuid_user'];

/** Fields that are replaced in an object that describes the person. */
const PERSONAL_FIELDS = new Set([
  ...['email', 'trusted_email', 'fullname', 'fullName', 'firstname', 'lastname', 'name', 'phone', 'company', 'note'],
  ...['streetAddress', 'city', 'region', 'zipcode', 'country', 'attributes', 'properties', 'public_email', 'ip'],
  ...['public_website', 'description', 'profileStatus', 'tags', 'userAgent', 'location'],
]);

/** The field with a person's name, by the field with the person's id. */
const NAME_FIELDS: Record<string, string> = { sender: 'senderFullname', recipient: 'recipientFullname' };

const isPlainObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && [Object.prototype, null].includes(Object.getPrototypeOf(value));

const isIdOf = (ids: PersonIds, value: unknown): boolean =>
  (typeof value === 'string' || isObjectId(value)) && ids.person.has(String(value));

const isObjectId = (value: unknown): boolean => (value as { _bsontype?: unknown } | null)?._bsontype === 'ObjectId';

/** Returns the value that replaces a personal value: `ERASED` for text, an empty list or object, or null. */
const blank = (value: unknown): unknown => {
  if (typeof value === 'string') return value ? ERASED : value;
  if (Array.isArray(value)) return [];
  return isPlainObject(value) ? {} : null;
};

/**
 * Returns a function that replaces the personal values in a document. An object without such values is returned as it
 * is, not as a copy.
 */
export const createRedactor = (person: Person, ids: PersonIds) => {
  const pattern = valuePattern(person);

  const redactList = (list: unknown[]): unknown[] => {
    const redacted = list.map(redactValue);
    return redacted.some((value, index) => value !== list[index]) ? redacted : list;
  };

  const blankedFields = (object: Fields): Set<string> => {
    const describesPerson = IDENTIFYING_FIELDS.some((field) => isIdOf(ids, object[field]));
    const names = Object.entries(NAME_FIELDS).flatMap(([field, name]) => (isIdOf(ids, object[field]) ? [name] : []));
    return new Set([...(describesPerson ? PERSONAL_FIELDS : []), ...names]);
  };

  const redactObject = (object: Fields): Fields => {
    const blanked = blankedFields(object);
    const redacted = Object.entries(object).map(([name, value]) => [
      name,
      blanked.has(name) ? unlessEqual(value, blank(value)) : redactValue(value),
    ]);
    const changed = redacted.some(([name, value]) => object[name as string] !== value);
    return changed ? (Object.fromEntries(redacted) as Fields) : object;
  };

  const redactValue = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replace(pattern, ERASED);
    if (Array.isArray(value)) return redactList(value);
    return isPlainObject(value) ? redactObject(value) : value;
  };

  return redactObject;
};

/** Returns the old value if it equals the blank value, so that a second run changes nothing. */
const unlessEqual = (value: unknown, blanked: unknown): unknown =>
  JSON.stringify(value) === JSON.stringify(blanked) ? value : blanked;

/** Returns the fields of `redacted` that differ from those of `document`. */
export const changedFields = (document: Fields, redacted: Fields): Fields =>
  Object.fromEntries(Object.entries(redacted).filter(([name, value]) => document[name] !== value));
