/** The declaration of an imported collection: where it comes from, and how its documents become records. */
import type { Collection, Schema } from 'mongoose';
import type { z } from 'zod';
import type { Fields } from './fields.ts';
import type { Source } from '../../database/source-database.ts';

/** The part of a model that an import uses. */
export interface ImportedModel {
  modelName: string;
  schema: Schema;
  collection: Collection;
}

/** A document of the source that is being imported. */
export interface ImportedDocument {
  /** The id in reports. */
  id: string;
  document: Fields;
  record: Fields;
  /** Why the document is not imported. */
  rejection?: string;
  /** Values that were replaced, each with the reason. */
  adjustments: string[];
  /** Other records, which are inserted together with this one. */
  related: { model: ImportedModel; record: Fields }[];
}

/** A collection to import. */
export interface ImportTable {
  model: ImportedModel;
  /** The names that the collection may have in the source; the first one that exists is read. */
  sources: readonly string[];
  /** The fields to import; other fields are dropped. */
  fields: z.ZodObject;
  /** Fields that are dropped because this system derives or replaces them, with the reason. */
  replaced?: Readonly<Record<string, string>>;
  /** Returns the time at which a record expires in this system. Expired documents are not imported. */
  expiresAt?(record: Fields): Date | undefined;
  /** Completes the records of a batch; may reject documents and adjust values. */
  complete?(batch: ImportedDocument[], source: Source): Promise<void> | void;
}

/** The documents of a batch, grouped by outcome. */
export interface SortedBatch {
  imported: ImportedDocument[];
  rejected: ImportedDocument[];
  existing: number;
  expired: number;
}
