/** Patterns that find the data of a person. */
import { Types } from 'mongoose';
import { idsOf, type Person } from './person.ts';

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The source of a pattern that matches nothing. */
const NOTHING = '(?!)';

const anyOf = (texts: string[], flags: string, [before, after] = ['', '']): RegExp => {
  const unique = [...new Set(texts.filter(Boolean))].toSorted((one, other) => other.length - one.length);
  const alternatives = unique.map(escapeRegExp).join('|');
  return new RegExp(unique.length ? `${before}(?:${alternatives})${after}` : NOTHING, flags);
};

/** A document may contain an id as an ObjectId, so the bytes of the ObjectId are searched for as well. */
const asBytes = (id: string): string[] =>
  /^[0-9a-f]{24}$/.test(id) ? [Buffer.from(new Types.ObjectId(id).id).toString('latin1')] : [];

/** Returns the UTF-8 bytes of a text as a string with one character per byte. */
const asLatin1 = (text: string): string => Buffer.from(text).toString('latin1');

/**
 * Returns the pattern that matches the person's ids, email addresses and phone numbers in the bytes of a document, read
 * as latin1.
 */
export const bytesPattern = (person: Person): RegExp => {
  const ids = idsOf(person);
  const all = [...ids.person, ...ids.conversation];
  const texts = [...all, ...person.emails, ...person.phones].map(asLatin1);
  return anyOf([...texts, ...all.flatMap(asBytes)], 'i');
};

const WORD_BOUNDARIES: [string, string] = ['(?<![\\p{L}\\p{N}])', '(?![\\p{L}\\p{N}])'];

/** Returns the pattern that matches the person's email addresses and phone numbers in text. */
export const addressPattern = ({ emails, phones }: Person): RegExp =>
  anyOf([...emails, ...phones], 'giu', WORD_BOUNDARIES);

/**
 * Returns the pattern that matches the person's email addresses, phone numbers and names in the bytes of text, read as
 * latin1.
 */
export const valueBytesPattern = ({ emails, phones, names }: Person): RegExp =>
  anyOf([...emails, ...phones, ...names].map(asLatin1), 'gi');

/** Returns the pattern that matches the person's email addresses, phone numbers and names in text. */
export const valuePattern = ({ emails, phones, names }: Person): RegExp =>
  anyOf([...emails, ...phones, ...names], 'giu', WORD_BOUNDARIES);
