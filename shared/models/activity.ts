import { Schema } from 'mongoose';
import { z } from 'zod';
import { config } from '../config.ts';
import { collection, schemaOptions } from '../database/collection.ts';
import { Id, optionalField, Time, view } from '../wire/view.ts';

const actorField = { type: { type: String, required: true }, id: { type: String, required: true }, name: String };
const objectField = { type: Schema.Types.Mixed, default: {} };

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    actor: actorField,
    verb: { type: String, required: true },
    actionObj: objectField,
    target: { type: { type: String, required: true }, id: { type: String, required: true }, object: objectField },
    related: { type: Schema.create({ ...actorField, role: String }, { _id: false }) },
    /** Ids of the actor and of the other people concerned, such as the agents in the conversation. */
    involvedUserIds: { type: [String], default: [] },
  },
  schemaOptions,
);
schema.index({ id_project: 1, createdAt: -1, _id: -1 });
schema.index({ id_project: 1, verb: 1, createdAt: -1, _id: -1 });
schema.index({ id_project: 1, involvedUserIds: 1, createdAt: -1, _id: -1 });
schema.index({ createdAt: 1 }, { expireAfterSeconds: config.ACTIVITY_TTL_SECONDS });

/** The audit log of a project: which actor did what. Entries are deleted after `ACTIVITY_TTL_SECONDS`. */
export const Activity = collection('activities', schema);

/** On the wire: the actor of an activity, or the person or bot that its field `related` names. */
export const ActorView = view('Actor', { type: z.string(), id: z.string(), name: optionalField(z.string()) });

const AnyObject = z.record(z.string(), z.unknown());

/** An activity on the wire. */
export const ActivityView = view('Activity', {
  _id: Id,
  id_project: z.string(),
  actor: ActorView,
  verb: z.string(),
  actionObj: AnyObject,
  target: z.strictObject({ type: z.string(), id: z.string(), object: AnyObject }),
  related: optionalField(ActorView.extend({ role: z.string() })),
  involvedUserIds: z.array(z.string()),
  createdAt: Time,
  updatedAt: Time,
});
