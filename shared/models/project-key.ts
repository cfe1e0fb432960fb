import { Schema } from 'mongoose';
import { collection, schemaOptions } from '../database/collection.ts';

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    secret: { type: String, required: true, select: false },
    /** Absent for the current key. */
    expiresAt: Date,
    createdBy: { type: String, required: true },
  },
  schemaOptions,
);
schema.index({ id_project: 1, expiresAt: 1 });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

/** The secrets with which a project signs tokens for its users: the current one, and earlier ones until they expire. */
export const ProjectKey = collection('project_keys', schema);
