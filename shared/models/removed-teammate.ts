import { Schema } from 'mongoose';
import { collection, schemaOptions } from '../database/collection.ts';

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    id_user: { type: String, required: true },
    /** When the teammate was last deleted. */
    removedAt: { type: Date, required: true },
  },
  schemaOptions,
);
schema.index({ id_project: 1, id_user: 1 }, { unique: true });

/** Permanently deleted teammates, whose statistics start from zero if they return. */
export const RemovedTeammate = collection('removed_teammates', schema);
