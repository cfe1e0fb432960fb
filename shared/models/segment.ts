import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, schemaOptions } from '../database/collection.ts';
import { Id, Time, view } from '../wire/view.ts';

/** The statuses of a segment. */
export const SEGMENT_STATUS = { active: 100, deleted: 0 } as const;

export const FILTER_OPERATORS = ['=', '!=', '>', '>=', 'starts with', 'contains', 'is null', 'is not null'] as const;

/** Whether a lead must match all filters or any of them. */
export const FILTER_MATCHES = ['all', 'any'] as const;

const filterSchema = new Schema(
  {
    field: { type: String, required: true },
    operator: { type: String, enum: FILTER_OPERATORS, required: true },
    value: Schema.Types.Mixed,
  },
  { _id: false, minimize: false, strict: 'throw' },
);

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    name: { type: String, required: true },
    match: { type: String, enum: FILTER_MATCHES, required: true },
    filters: { type: [filterSchema], default: [] },
    status: { type: Number, default: SEGMENT_STATUS.active },
    createdBy: { type: String, required: true },
  },
  schemaOptions,
);
schema.index({ id_project: 1, status: 1, createdAt: -1, _id: -1 });

/** Segments: saved filters for leads. */
export const Segment = collection('segments', schema);

/** A segment on the wire. */
export const SegmentView = view('Segment', {
  _id: Id,
  id_project: z.string(),
  name: z.string(),
  match: z.enum(FILTER_MATCHES),
  filters: z.array(
    z.strictObject({ field: z.string(), operator: z.enum(FILTER_OPERATORS), value: z.json().optional() }),
  ),
  status: z.number(),
  createdBy: z.string(),
  createdAt: Time,
  updatedAt: Time,
  __v: z.number(),
});
