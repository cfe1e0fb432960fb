import { Schema } from 'mongoose';
import { z } from 'zod';
import { config } from '../config.ts';
import { collection, kept } from '../mongo.ts';
import { Id, maybe, Time } from '../view.ts';

const who = { type: { type: String, required: true }, id: { type: String, required: true }, name: String };
const free = { type: Schema.Types.Mixed, default: {} };

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    actor: who,
    verb: { type: String, required: true },
    actionObj: free,
    target: { type: { type: String, required: true }, id: { type: String, required: true }, object: free },
    related: { type: Schema.create({ ...who, role: String }, { _id: false }) },
    /** Users who did it, to whom it was done, or whose conversation it was. */
    involvedUserIds: { type: [String], default: [] },
  },
  kept,
);
schema.index({ id_project: 1, createdAt: -1, _id: -1 });
schema.index({ id_project: 1, verb: 1, createdAt: -1, _id: -1 });
schema.index({ id_project: 1, involvedUserIds: 1, createdAt: -1, _id: -1 });
schema.index({ createdAt: 1 }, { expireAfterSeconds: config.ACTIVITY_TTL });

/** What somebody did in a project, kept for a while (contract b 12). */
export const Activity = collection('activities', schema);

/** Who did something, or to whom it was done. */
export const WhoView = z.strictObject({ type: z.string(), id: z.string(), name: maybe(z.string()) });

const Free = z.record(z.string(), z.unknown());

/** An activity on the wire. */
export const ActivityView = z.strictObject({
  _id: Id,
  id_project: z.string(),
  actor: WhoView,
  verb: z.string(),
  actionObj: Free,
  target: z.strictObject({ type: z.string(), id: z.string(), object: Free }),
  related: maybe(WhoView.extend({ role: z.string() })),
  involvedUserIds: z.array(z.string()),
  createdAt: Time,
  updatedAt: Time,
});
