import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, schemaOptions } from '../database/collection.ts';
import { Id, optionalField, Time, view } from '../wire/view.ts';

/** The values of `status`. */
export const CANNED_RESPONSE_STATUS = { active: 100, deleted: 1000 } as const;

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    title: String,
    text: { type: String, required: true },
    attributes: Schema.Types.Mixed,
    /** If false, only the author sees the response. */
    shared: Boolean,
    status: { type: Number, default: CANNED_RESPONSE_STATUS.active },
    createdBy: { type: String, required: true },
  },
  schemaOptions,
);
schema.index({ id_project: 1, createdAt: -1, _id: -1 });
schema.index({ id_project: 1, updatedAt: -1, _id: -1 });
schema.index({ id_project: 1, title: -1, _id: -1 });

/** Canned responses: prepared texts that agents insert. */
export const CannedResponse = collection('canned', schema);

/** A canned response on the wire. */
export const CannedResponseView = view('CannedResponse', {
  _id: Id,
  id_project: z.string(),
  title: optionalField(z.string()),
  text: z.string(),
  attributes: optionalField(z.record(z.string(), z.unknown())),
  shared: optionalField(z.boolean()),
  status: z.number(),
  createdBy: z.string(),
  createdAt: Time,
  updatedAt: Time,
  __v: z.number(),
});
