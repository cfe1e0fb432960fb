import type { UpdateQuery } from 'mongoose';
import { inTransaction } from '#shared/database/connection.ts';
import { recordAccessChange } from '#shared/domain/access/access-changes.ts';
import { Project } from '#shared/models/project.ts';

/** Updates a project in the database, without validation or events, and drops it from the caches of all processes. */
export const changeProject = (id: string, update: UpdateQuery<unknown>): Promise<void> =>
  inTransaction(async (session) => {
    await Project.updateOne({ _id: id }, update, { session });
    await recordAccessChange({ project: id }, session);
  });
