import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, kept } from '../mongo.ts';
import { Id, Time } from '../view.ts';

/** The status of a segment: in use, or deleted (contract b 9.1). */
export const SEGMENT = { active: 100, deleted: 0 } as const;

/** What a filter may ask of a field (contract b 9.3). */
export const OPERATORS = ['=', '!=', '>', '>=', 'starts with', 'contains', 'is null', 'is not null'] as const;

/** Whether a lead has to meet every filter or one of them. */
export const MATCHES = ['all', 'any'] as const;

const filter = new Schema(
  {
    field: { type: String, required: true },
    operator: { type: String, enum: OPERATORS, required: true },
    value: Schema.Types.Mixed,
  },
  { _id: false, minimize: false, strict: 'throw' },
);

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    name: { type: String, required: true },
    match: { type: String, enum: MATCHES, required: true },
    filters: { type: [filter], default: [] },
    status: { type: Number, default: SEGMENT.active },
    createdBy: { type: String, required: true },
  },
  kept,
);
schema.index({ id_project: 1, status: 1, createdAt: -1, _id: -1 });

/** Leads that are asked for again and again, by what they have in common (contract b 9). */
export const Segment = collection('segments', schema);

/** A segment on the wire. */
export const SegmentView = z.strictObject({
  _id: Id,
  id_project: z.string(),
  name: z.string(),
  match: z.enum(MATCHES),
  filters: z.array(z.strictObject({ field: z.string(), operator: z.enum(OPERATORS), value: z.json().optional() })),
  status: z.number(),
  createdBy: z.string(),
  createdAt: Time,
  updatedAt: Time,
  __v: z.number(),
});
