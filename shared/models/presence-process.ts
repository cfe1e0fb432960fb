import { Schema } from 'mongoose';
import { collection } from '../database/collection.ts';

const schema = Schema.create(
  { _id: { type: String, required: true }, leaseUntil: { type: Date, required: true } },
  { strict: 'throw', id: false },
);

/** API processes with open sockets, each with a lease that it keeps extending. */
export const PresenceProcess = collection('presence_processes', schema, 'instance');
