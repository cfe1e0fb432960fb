import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, schemaOptions } from '../database/collection.ts';
import { Id, optionalField, Time, view } from '../wire/view.ts';

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    tag: { type: String, required: true },
    color: String,
    attributes: Schema.Types.Mixed,
    createdBy: { type: String, required: true },
  },
  schemaOptions,
);
schema.index({ id_project: 1, tag: 1 }, { unique: true });
schema.index({ id_project: 1, createdAt: -1, _id: -1 });
schema.index({ id_project: 1, updatedAt: -1, _id: -1 });

/** The tag catalogue of a project. Tags of a conversation are stored in the conversation. */
export const Tag = collection('tags', schema);

/** A tag on the wire. */
export const TagView = view('Tag', {
  _id: Id,
  id_project: z.string(),
  tag: z.string(),
  color: optionalField(z.string()),
  attributes: optionalField(z.record(z.string(), z.unknown())),
  createdBy: z.string(),
  createdAt: Time,
  updatedAt: Time,
  __v: z.number(),
});
