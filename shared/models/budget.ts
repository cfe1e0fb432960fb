import { Schema } from 'mongoose';
import { collection, schemaOptions } from '../database/collection.ts';

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    /** The name of the budget, such as `mails`. */
    name: { type: String, required: true },
    /** The start of the period: the hour or day to which the budget applies. */
    period: { type: Date, required: true },
    spent: { type: Number, default: 0 },
    /**
     * What was spent in each hour, by the number of the hour in the day; only for daily budgets also counted by hour.
     */
    hours: Schema.Types.Mixed,
    /** The end of the period, after which the record is deleted. */
    expiresAt: { type: Date, required: true },
  },
  schemaOptions,
);
schema.index({ id_project: 1, name: 1, period: 1 }, { unique: true });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

/** How much of an hourly or daily budget a project has used. */
export const Budget = collection('budgets', schema);
