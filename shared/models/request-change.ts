import { Schema } from 'mongoose';
import { z } from 'zod';
import { config } from '../config.ts';
import { collection } from '../mongo.ts';
import { Id, Time } from '../view.ts';
import { WhoView } from './activity.ts';

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    request_id: { type: String, required: true },
    /** Place in the order of commit, as in the changes log. */
    position: { type: String, required: true },
    actor: { type: Schema.Types.Mixed, required: true },
    comment: { type: String, required: true },
    previous: { type: Schema.Types.Mixed, default: {} },
    current: { type: Schema.Types.Mixed, default: {} },
    createdAt: { type: Date, required: true },
  },
  { minimize: false, strict: 'throw', id: false },
);
schema.index({ id_project: 1, request_id: 1, position: 1 });
schema.index({ createdAt: 1 }, { expireAfterSeconds: config.ACTIVITY_TTL });

/** What somebody changed in a conversation, kept as long as activities are (contract b 1.19). */
export const RequestChange = collection('request_changes', schema);

const Values = z.record(z.string(), z.unknown());

/** A change of a conversation on the wire. */
export const RequestChangeView = z.strictObject({
  _id: Id,
  id_project: z.string(),
  request_id: z.string(),
  actor: WhoView,
  comment: z.string().meta({ description: 'What kind of change: `CREATE`, `ASSIGNED`, or as in `request.updated`' }),
  previous: Values.meta({ description: 'The fields that differ, as they were' }),
  current: Values.meta({ description: 'The same as they are since then' }),
  createdAt: Time,
});
