import { Schema } from 'mongoose';
import { z } from 'zod';
import { config } from '../config.ts';
import { collection } from '../database/collection.ts';
import { Id, Time, view } from '../wire/view.ts';
import { ActorView } from './activity.ts';

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    request_id: { type: String, required: true },
    /** Position in the order of commit, as in the changes log. */
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
schema.index({ createdAt: 1 }, { expireAfterSeconds: config.ACTIVITY_TTL_SECONDS });

/** The history of conversations: one record for each change. Records are deleted after `ACTIVITY_TTL_SECONDS`. */
export const ConversationChange = collection('request_changes', schema);

const FieldValues = z.record(z.string(), z.unknown());

/** A change to a conversation, as the API sends it. */
export const ConversationChangeView = view('ConversationChange', {
  _id: Id,
  id_project: z.string(),
  request_id: z.string(),
  actor: ActorView,
  comment: z
    .string()
    .meta({ description: 'Kind of change: `CREATE`, `ASSIGNED`, or the `comment` of the `request.updated` event' }),
  previous: FieldValues.meta({ description: 'The changed fields before the change' }),
  current: FieldValues.meta({ description: 'The changed fields after the change' }),
  createdAt: Time,
});
