import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, kept } from '../mongo.ts';
import { Id, maybe, Time } from '../view.ts';

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    tag: { type: String, required: true },
    color: String,
    attributes: Schema.Types.Mixed,
    createdBy: { type: String, required: true },
  },
  kept,
);
schema.index({ id_project: 1, tag: 1 }, { unique: true });
schema.index({ id_project: 1, createdAt: -1, _id: -1 });
schema.index({ id_project: 1, updatedAt: -1, _id: -1 });

/** The tags that a project offers its teammates; what a conversation is tagged with is its own (contract b 8.1). */
export const Tag = collection('tags', schema);

/** A tag on the wire. */
export const TagView = z.strictObject({
  _id: Id,
  id_project: z.string(),
  tag: z.string(),
  color: maybe(z.string()),
  attributes: maybe(z.record(z.string(), z.unknown())),
  createdBy: z.string(),
  createdAt: Time,
  updatedAt: Time,
  __v: z.number(),
});
