import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, schemaOptions } from '../database/collection.ts';
import { Id, optionalField, Time, view } from '../wire/view.ts';

const RETENTION_SECONDS = 30 * 86_400;

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    namespace: { type: String, required: true },
    /** What is deleted: a namespace, all its contents, or the pages of a sitemap. */
    kind: { type: String, required: true },
    /** The id of the sitemap content whose pages are deleted. */
    sitemap: String,
    deleted: { type: Number, default: 0 },
    finishedAt: Date,
  },
  schemaOptions,
);
schema.index({ finishedAt: 1 }, { expireAfterSeconds: RETENTION_SECONDS });
schema.index({ id_project: 1, createdAt: -1 });

/** Deletions of many contents, which continue in a job if they take a long time. The record is also the report. */
export const KbDeletion = collection('kb_deletions', schema);

/** The report of a deletion on the wire. */
export const KbDeletionView = view('KbDeletion', {
  _id: Id,
  id_project: z.string(),
  namespace: z.string(),
  kind: z.string().meta({ description: '`namespace`, `contents` or `sitemap`' }),
  sitemap: optionalField(z.string()),
  deleted: z.number().meta({ description: 'Number of contents deleted so far' }),
  finishedAt: optionalField(Time).meta({ description: 'Absent while the deletion is running' }),
  createdAt: Time,
  updatedAt: Time,
  __v: z.number(),
});
