import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, kept } from '../mongo.ts';
import { Id, maybe, Time } from '../view.ts';

const QUARTER = 90 * 86_400;

const schema = Schema.create(
  {
    /** The project's id. */
    _id: { type: String, required: true },
    name: { type: String, required: true },
    requestedBy: { type: String, required: true },
    /** When everything of the project is looked for next; absent once nobody can write any of it again. */
    due: Date,
    /** From when on nobody can: leases have ended, and every process knows that the project is gone. */
    quiet: { type: Date, required: true },
    /** Records removed, by collection. */
    removed: { type: Schema.Types.Mixed, default: () => ({}) },
    finishedAt: Date,
  },
  kept,
);
schema.index({ due: 1 }, { sparse: true });
schema.index({ finishedAt: 1 }, { expireAfterSeconds: QUARTER });

/** A project that is being removed with everything in it, and afterwards the report of that. */
export const ProjectRemoval = collection('project_removals', schema, 'instance');

/** The report for whoever asked for the removal. */
export const ProjectRemovalView = z.strictObject({
  _id: Id,
  name: z.string(),
  requestedBy: z.string(),
  removed: z.record(z.string(), z.number()).meta({ description: 'Records removed so far, by collection' }),
  finishedAt: maybe(Time).meta({ description: 'Absent while the removal goes on' }),
  createdAt: Time,
});
