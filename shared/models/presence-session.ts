import { Schema } from 'mongoose';
import { collection } from '../database/collection.ts';

const schema = Schema.create(
  {
    /** The ids of the process and of the person. */
    _id: { type: String, required: true },
    person: { type: String, required: true },
    process: { type: String, required: true },
    /** When the last socket of the person in this process was closed; absent while one is open. */
    closedAt: Date,
  },
  { strict: 'throw', id: false },
);
schema.index({ person: 1 });
schema.index({ closedAt: 1 }, { sparse: true });

/** The presence of people: one record for each API process and each person with sockets in it. */
export const PresenceSession = collection('presence_sessions', schema, 'instance');
