/** Converts a document of the imported database (the source) to a record of this system. */
import { Types } from 'mongoose';
import type { z } from 'zod';
import type { Fields } from './fields.ts';
import type { ImportedDocument, ImportTable } from './import-table.ts';

const describeIssue = ({ path, message }: z.core.$ZodIssue): string =>
  path.length ? `${path.join('.')}: ${message}` : message;

/** Returns the creation time that an id contains. */
const timeOfId = (id: unknown): Date =>
  id instanceof Types.ObjectId ? id.getTimestamp() : new Types.ObjectId(String(id)).getTimestamp();

/** Adds the creation and update times to a record whose document lacks them. */
const withTimes = (record: Fields): Fields => {
  const createdAt = record.createdAt ?? timeOfId(record._id);
  return { ...record, createdAt, updatedAt: record.updatedAt ?? createdAt };
};

const withoutUndefined = (record: Fields): Fields => {
  for (const key of Object.keys(record)) if (record[key] === undefined) delete record[key];
  return record;
};

/** Converts a document. A document with invalid fields gets a rejection that names them, without their values. */
export const convertDocument = ({ fields }: ImportTable, document: Fields): ImportedDocument => {
  const { data, error } = fields.safeParse(document);
  const common = { id: String(document._id), document, adjustments: [], related: [] };
  if (error) return { ...common, record: {}, rejection: error.issues.map(describeIssue).join('; ') };
  return { ...common, record: withoutUndefined(withTimes(data)) };
};

/** Counts the fields of a document that are not imported, by name. */
export const countDroppedFields = (
  { fields, replaced = {} }: ImportTable,
  document: Fields,
  counts: Record<string, number>,
): void => {
  for (const key of Object.keys(document))
    if (!(key in fields.shape) && !(key in replaced)) counts[key] = (counts[key] ?? 0) + 1;
};
