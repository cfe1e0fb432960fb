import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, schemaOptions } from '../database/collection.ts';
import { Id, optionalField, Time, view } from '../wire/view.ts';

const REPORT_RETENTION_SECONDS = 90 * 86_400;

const schema = Schema.create(
  {
    /** The project's id. */
    _id: { type: String, required: true },
    name: { type: String, required: true },
    requestedBy: { type: String, required: true },
    /** When the next deletion of the project's records is due; absent if no further deletion is needed. */
    nextSweepAt: Date,
    /** After this time, no process can write the project's records: leases have expired and caches are updated. */
    quiescentAt: { type: Date, required: true },
    /** Number of deleted records by collection. */
    removed: { type: Schema.Types.Mixed, default: () => ({}) },
    finishedAt: Date,
  },
  schemaOptions,
);
schema.index({ nextSweepAt: 1 }, { sparse: true });
schema.index({ finishedAt: 1 }, { expireAfterSeconds: REPORT_RETENTION_SECONDS });

/** Projects that are being deleted with all their records; afterwards, the reports on their deletion. */
export const ProjectRemoval = collection('project_removals', schema, 'instance');

/** The report on a project's deletion. */
export const ProjectRemovalView = view('ProjectRemoval', {
  _id: Id,
  name: z.string(),
  requestedBy: z.string(),
  removed: z.record(z.string(), z.number()).meta({ description: 'Number of records deleted so far, by collection' }),
  finishedAt: optionalField(Time).meta({ description: 'Absent while the deletion is in progress' }),
  createdAt: Time,
});
