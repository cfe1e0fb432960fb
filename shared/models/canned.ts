import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, kept } from '../mongo.ts';
import { Id, maybe, Time } from '../view.ts';

/** Values of `status`. */
export const CANNED = { active: 100, deleted: 1000 } as const;

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    title: String,
    text: { type: String, required: true },
    attributes: Schema.Types.Mixed,
    /** False: its author's alone. */
    shared: Boolean,
    status: { type: Number, default: CANNED.active },
    createdBy: { type: String, required: true },
  },
  kept,
);
schema.index({ id_project: 1, createdAt: -1, _id: -1 });
schema.index({ id_project: 1, updatedAt: -1, _id: -1 });
schema.index({ id_project: 1, title: -1, _id: -1 });

/** Answers that are kept ready (contract b 8.2). */
export const Canned = collection('canned', schema);

/** A canned response on the wire. */
export const CannedView = z.strictObject({
  _id: Id,
  id_project: z.string(),
  title: maybe(z.string()),
  text: z.string(),
  attributes: maybe(z.record(z.string(), z.unknown())),
  shared: maybe(z.boolean()),
  status: z.number(),
  createdBy: z.string(),
  createdAt: Time,
  updatedAt: Time,
  __v: z.number(),
});
