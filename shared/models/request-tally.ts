import { Schema } from 'mongoose';
import { collection } from '../mongo.ts';

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    status: { type: Number, required: true },
    hasBot: { type: Boolean, required: true },
    preflight: { type: Boolean, required: true },
    draft: { type: Boolean, required: true },
    department: String,
    /** How many came, or went where it is negative. */
    n: { type: Number, required: true },
    /** Written with a conversation and not folded yet. */
    loose: Boolean,
  },
  { versionKey: false, strict: 'throw', id: false },
);
schema.index({ id_project: 1 });
schema.index({ loose: 1, id_project: 1 }, { partialFilterExpression: { loose: true } });

/** How many conversations of a kind a project has: the sum over its rows. A row is added, never changed, by whoever opens or changes one, so that nobody waits for anybody. */
export const RequestTally = collection('request_tallies', schema);
