import { Schema } from 'mongoose';
import { collection, kept } from '../mongo.ts';

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    secret: { type: String, required: true, select: false },
    /** When it ends; the present key has no end. */
    expiresAt: Date,
    createdBy: { type: String, required: true },
  },
  kept,
);
schema.index({ id_project: 1, expiresAt: 1 });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

/** The secrets that a project's own tokens are signed with: the present one, and those before it for a while (contract a 3.7). */
export const ProjectKey = collection('project_keys', schema);
