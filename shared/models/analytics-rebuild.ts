import { Schema } from 'mongoose';
import { collection, schemaOptions } from '../database/collection.ts';

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    /** The step in progress, and the last id or day that the step has processed. */
    step: { type: String, required: true },
    after: { type: String, required: true },
    /** The number of records and contributions checked so far. */
    done: { type: Number, required: true },
    /** So far: the number of records whose contributions were corrected, and the number of corrected rollup rows. */
    records: { type: Number, required: true },
    rows: { type: Number, required: true },
  },
  schemaOptions,
);
schema.index({ id_project: 1 }, { unique: true });

/** The progress of unfinished rebuilds of analytics, so that an interrupted rebuild can continue. */
export const AnalyticsRebuild = collection('analytics_rebuilds', schema);
