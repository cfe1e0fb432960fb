import { Schema } from 'mongoose';
import { collection } from '../database/collection.ts';

const schema = Schema.create(
  {
    /**
     * Project, day (in a row of totals, block), and a hash of series and value, so that every write of a row finds the
     * same record.
     */
    _id: { type: String, required: true },
    id_project: { type: String, required: true },
    /** What the row counts: a subject with filters, such as `requests|department=<id>`. */
    series: { type: String, required: true },
    /** In a grouped series such as `messages.sender`, the value of the group that the row counts. */
    value: String,
    /** The UTC day, in days since the epoch; in a row of totals, the first day of its block. */
    day: { type: Number, required: true },
    /** Sums by quarter hour (in totals, by day), and sketches; each column is a sparse vector (`mergeVector`). */
    columns: { type: Schema.Types.Mixed, required: true },
  },
  { versionKey: false, strict: 'throw', id: false, minimize: false },
);
schema.index({ id_project: 1, series: 1, value: 1, day: 1 });
schema.index({ id_project: 1, series: 1, day: 1 }, { partialFilterExpression: { value: { $exists: true } } });

/** The sums for analytics. Each series and value has a row per UTC day, and a row of totals per block of 32 days. */
export const AnalyticsRollup = collection('analytics_rollups', schema);
