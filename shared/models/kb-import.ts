import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, schemaOptions } from '../database/collection.ts';
import { Id, optionalField, Time, view } from '../wire/view.ts';

const RETENTION_SECONDS = 30 * 86_400;

/** The numbers of contents by status at `countedAt`, excluding any deleted, or queued again by another call. */
const countFields = {
  total: z.number(),
  queued: z.number(),
  fetching: z.number(),
  indexing: z.number(),
  indexed: z.number(),
  failed: z.number(),
};

const counter = { type: Number, default: 0 };

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    namespace: { type: String, required: true },
    /** How the contents were added: `url_list`, `csv`, `sitemap`, or `import` (from an exported knowledge base). */
    type: { type: String, required: true },
    source: String,
    ...{ total: counter, queued: counter, fetching: counter, indexing: counter, indexed: counter, failed: counter },
    /** When the counts were last read from the contents. */
    countedAt: { type: Date, default: () => new Date(0) },
    /** True until all contents have been written to the database. */
    isWriting: Boolean,
    /** True until the import is finished. */
    isOpen: Boolean,
    finished_at: Date,
  },
  schemaOptions,
);
schema.index({ id_project: 1, namespace: 1, createdAt: -1 });
schema.index({ isOpen: 1, id_project: 1, countedAt: 1 }, { partialFilterExpression: { isOpen: true } });
schema.index({ createdAt: 1 }, { expireAfterSeconds: RETENTION_SECONDS });

/** Imports: calls that added several contents to a knowledge base, and the progress of their indexing. */
export const KbImport = collection('kb_imports', schema);

/** An import on the wire. The event `kb.import.progress` reports its changed counts once a second, and its end. */
export const KbImportView = view('KbImport', {
  _id: Id,
  id_project: z.string(),
  namespace: z.string(),
  type: z.string().meta({ description: 'How the contents were added: `url_list`, `csv`, `sitemap` or `import`' }),
  source: optionalField(z.string()),
  ...countFields,
  finished_at: optionalField(Time.meta({ description: 'When the last content was indexed or failed' })),
  createdAt: Time,
  updatedAt: Time,
  __v: z.number(),
});
