import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, schemaOptions } from '../database/collection.ts';
import { Id, Time, view } from '../wire/view.ts';

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    name: { type: String, required: true },
    /** The settings. Fields for keys, such as `apikey` or `token`, are empty. */
    value: { type: Schema.Types.Mixed, default: {} },
    /** The keys that were taken out of the fields of `value`, as one encrypted JSON text. Never returned. */
    secrets: { type: String, select: false },
  },
  schemaOptions,
);
schema.index({ id_project: 1, name: 1 }, { unique: true });

/** A project's accounts with other services, such as providers of chat models. */
export const Integration = collection('integrations', schema);

/** An integration on the wire. In `value`, fields for keys contain empty strings. */
export const IntegrationView = view('Integration', {
  _id: Id,
  id_project: z.string(),
  name: z.string(),
  value: z.record(z.string(), z.unknown()),
  createdAt: Time,
  updatedAt: Time,
  __v: z.number(),
});
