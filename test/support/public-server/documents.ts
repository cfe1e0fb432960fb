/**
 * Ids, times and common fields of the documents in a database of the public server (the system from which `import`
 * copies a database), as that server stores them.
 */
import { Types } from 'mongoose';

/** The creation time of all documents for which no other time is given. */
export const FOUNDED = Date.UTC(2026, 0, 5, 8);

let prefix = 'f00d';
let serial = 0;

/** Returns the id that a document with this serial number gets at this time. Ids of a later time are greater. */
export const idAt = (time: number, number: number): Types.ObjectId => {
  const seconds = Math.floor(time / 1000).toString(16);
  return new Types.ObjectId(`${seconds.padStart(8, '0')}${prefix}${number.toString(16).padStart(12, '0')}`);
};

/** Returns an id that no other document has. */
export const nextId = (time = FOUNDED): Types.ObjectId => idAt(time, (serial += 1));

/**
 * Restarts the ids, so that the same calls return the same ids again. `digits` are four hexadecimal digits that are
 * part of each id.
 */
export const restartIds = (digits: string): void => {
  [prefix, serial] = [digits, 0];
};

/** Returns the times and the version of a document. */
export const times = (createdAt: number, updatedAt = createdAt) => ({
  createdAt: new Date(createdAt),
  updatedAt: new Date(updatedAt),
  __v: 0,
});

/** Returns a document of a project. */
export const document = <F extends object>(id_project: string, fields: F, time = FOUNDED) => ({
  _id: nextId(time),
  id_project,
  createdBy: 'system',
  ...fields,
  ...times(time),
});

/** A document with any fields. */
export type Document = Record<string, unknown> & { _id: unknown };

/** Documents by collection. */
export type Documents = Record<string, Document[]>;
