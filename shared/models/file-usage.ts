import { Schema } from 'mongoose';
import { collection, schemaOptions } from '../database/collection.ts';

const schema = Schema.create(
  { id_project: { type: String, required: true }, bytes: { type: Number, required: true } },
  schemaOptions,
);
schema.index({ id_project: 1 }, { unique: true });

/** The total size of a project's files, in bytes. Changed in the transactions that add and delete file records. */
export const FileUsage = collection('file_usage', schema);
