import { Schema } from 'mongoose';
import { collection, schemaOptions } from '../database/collection.ts';

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    department: { type: String, required: true },
    /**
     * The groups' shares of the conversations, as text, for which `currentWeights` was computed. If the shares change,
     * all credits start from zero.
     */
    shares: String,
    /** The current credit of each group, by group id (see `weighted-round-robin.ts`). */
    currentWeights: Schema.Types.Mixed,
    /** The group that was selected last. */
    lastGroup: String,
  },
  schemaOptions,
);
schema.index({ id_project: 1, department: 1 }, { unique: true });

/** State of the weighted round robin among the groups of a department. */
export const RoundRobinState = collection('routing_turns', schema);
