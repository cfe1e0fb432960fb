import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, kept } from '../mongo.ts';
import { Id, maybe, Time } from '../view.ts';

const entry = Schema.create(
  {
    lang: { type: String, required: true },
    data: { type: Schema.Types.Mixed, required: true },
    category: String,
    default: { type: Boolean, required: true },
  },
  { minimize: false, strict: 'throw', id: false },
);

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    /** One entry for each language. */
    data: [entry],
    attributes: Schema.Types.Mixed,
    createdBy: { type: String, required: true },
  },
  kept,
);
schema.index({ id_project: 1 }, { unique: true });

/** The texts that a project's clients show, where they are not those that come with the service (contract b 10). */
export const Label = collection('labels', schema);

const Texts = z.record(z.string(), z.union([z.string(), z.array(z.string())]));

/** A language that comes with the service. */
export const ShippedLabelsView = z.strictObject({
  lang: z.string(),
  data: Texts,
  machine_made: z.boolean().meta({ description: 'Translated by a machine, and not yet read by a speaker' }),
});

/** The texts of one language; without an `_id` they are those that come with the service. */
export const LabelEntryView = z.strictObject({
  _id: maybe(Id),
  lang: z.string(),
  data: Texts,
  category: maybe(z.string()),
  default: z.boolean().meta({ description: 'Used for languages that the project does not have' }),
});

/** All texts of a project. */
export const LabelsView = z.strictObject({
  _id: Id,
  id_project: z.string(),
  data: z.array(LabelEntryView),
  attributes: maybe(z.record(z.string(), z.unknown())),
  createdBy: z.string(),
  createdAt: Time,
  updatedAt: Time,
  __v: z.number(),
});
