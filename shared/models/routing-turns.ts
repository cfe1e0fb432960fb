import { Schema } from 'mongoose';
import { collection, kept } from '../mongo.ts';

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    department: { type: String, required: true },
    /** The shares that the credits were won under. */
    shares: String,
    /** What each group is owed, by its id. */
    credits: Schema.Types.Mixed,
    /** The group of the last turn. */
    turn: String,
  },
  kept,
);
schema.index({ id_project: 1, department: 1 }, { unique: true });

/** Whose turn it is among the groups of a department (decision 18). */
export const RoutingTurns = collection('routing_turns', schema);
