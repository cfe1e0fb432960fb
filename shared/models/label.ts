import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, schemaOptions } from '../database/collection.ts';
import { Id, optionalField, Time, view } from '../wire/view.ts';

const entrySchema = Schema.create(
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
    data: [entrySchema],
    attributes: Schema.Types.Mixed,
    createdBy: { type: String, required: true },
  },
  schemaOptions,
);
schema.index({ id_project: 1 }, { unique: true });

/** A project's own texts for its clients, which override the built-in texts. */
export const Label = collection('labels', schema);

const LabelTexts = z.record(z.string(), z.union([z.string(), z.array(z.string())]));

/** A built-in language. */
export const BuiltInLabelsView = view('BuiltInLabels', {
  lang: z.string(),
  data: LabelTexts,
  machine_made: z.boolean().meta({ description: 'Whether this is a machine translation that nobody has proofread' }),
});

/** The texts of one language; built-in texts have no `_id`. */
export const LabelEntryView = view('LabelEntry', {
  _id: optionalField(Id),
  lang: z.string(),
  data: LabelTexts,
  category: optionalField(z.string()),
  default: z.boolean().meta({ description: 'Whether these texts are used for languages that have no texts' }),
});

/** All texts of a project. */
export const LabelsView = view('Labels', {
  _id: Id,
  id_project: z.string(),
  data: z.array(LabelEntryView),
  attributes: optionalField(z.record(z.string(), z.unknown())),
  createdBy: z.string(),
  createdAt: Time,
  updatedAt: Time,
  __v: z.number(),
});
