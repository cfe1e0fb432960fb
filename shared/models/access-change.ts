import { Schema } from 'mongoose';
import { collection } from '../mongo.ts';

const HOUR = 3600;

const schema = Schema.create(
  {
    /** What nobody may go on believing, as `accessChanged` names it. */
    about: { type: String, required: true },
    createdAt: { type: Date, required: true, default: () => new Date() },
  },
  { versionKey: false, strict: 'throw', id: false },
);
// Longer than anything is believed for, so that no process misses one.
schema.index({ createdAt: 1 }, { expireAfterSeconds: 2 * HOUR });

/** What ended or changed somebody's access; every API process reads the new ones and forgets what they are about (design 8). */
export const AccessChange = collection('access_changes', schema, 'instance');
