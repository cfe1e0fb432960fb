/** A person, and the values by which its data are found. */
import { Types } from 'mongoose';

/** The person to erase or to export: an account, or a visitor with its leads. */
export interface Person {
  /** The projects to search; undefined: all of them. */
  projects?: string[];
  /** Ids of accounts. */
  accounts: string[];
  /** Ids of visitors: those that are not ids of accounts. */
  visitors: string[];
  leads: { _id: string; id_project: string; lead_id: string }[];
  memberships: { _id: string; id_project: string; isVisitor: boolean }[];
  conversations: { _id: string; id_project: string; request_id: string }[];
  files: { _id: string; id_project: string }[];
  emails: string[];
  phones: string[];
  /** Full names. They are replaced only in records that contain another value of the person. */
  names: string[];
}

/** The ids of a person as sets. */
export interface PersonIds {
  /** The ids of the person's accounts, leads, memberships and files. */
  person: Set<string>;
  visitor: Set<string>;
  conversation: Set<string>;
  /** In lower case. */
  address: Set<string>;
}

/** Returns the ids of a person as sets. */
export const idsOf = ({ accounts, visitors, leads, memberships, conversations, files, emails }: Person): PersonIds => {
  const records = [...leads, ...memberships, ...files].map(({ _id }) => _id);
  return {
    person: new Set([...accounts, ...visitors, ...records]),
    visitor: new Set(visitors),
    conversation: new Set(conversations.flatMap(({ _id, request_id }) => [_id, request_id])),
    address: new Set(emails.map((email) => email.toLowerCase())),
  };
};

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A pattern that matches nothing. */
const NOTHING = /(?!)/;

const anyOf = (texts: string[], flags: string, [before, after] = ['', '']): RegExp => {
  const unique = [...new Set(texts.filter(Boolean))].toSorted((one, other) => other.length - one.length);
  return unique.length ? new RegExp(`${before}(?:${unique.map(escapeRegExp).join('|')})${after}`, flags) : NOTHING;
};

/** Ids can be in a document as ObjectIds, of which the bytes are searched. */
const asBytes = (id: string): string[] =>
  /^[0-9a-f]{24}$/.test(id) ? [Buffer.from(new Types.ObjectId(id).id).toString('latin1')] : [];

const asLatin1 = (text: string): string => Buffer.from(text).toString('latin1');

/** Returns the pattern that finds a value of the person in the bytes of a document, read as latin1. */
export const bytesPattern = (person: Person): RegExp => {
  const ids = idsOf(person);
  const all = [...ids.person, ...ids.conversation];
  const texts = [...all, ...person.emails, ...person.phones].map(asLatin1);
  return anyOf([...texts, ...all.flatMap(asBytes)], 'i');
};

const WORD_BOUNDARIES: [string, string] = ['(?<![\\p{L}\\p{N}])', '(?![\\p{L}\\p{N}])'];

/** Returns the pattern of the person's e-mail addresses and phone numbers in a text. */
export const addressPattern = ({ emails, phones }: Person): RegExp =>
  anyOf([...emails, ...phones], 'giu', WORD_BOUNDARIES);

/** Returns the pattern of all personal values in a text, including names. */
export const valuePattern = ({ emails, phones, names }: Person): RegExp =>
  anyOf([...emails, ...phones, ...names], 'giu', WORD_BOUNDARIES);
