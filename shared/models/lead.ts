import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, kept } from '../mongo.ts';
import { Id, maybe, Time } from '../view.ts';

/** The status of a lead that is in use; 1000 is deleted (contract b 5.1). */
export const LEAD = { temporary: 50, normal: 100, deleted: 1000 } as const;

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    lead_id: { type: String, required: true },
    fullname: String,
    email: String,
    phone: String,
    company: String,
    note: String,
    streetAddress: String,
    city: String,
    region: String,
    zipcode: String,
    country: String,
    tags: { type: [String], default: [] },
    attributes: Schema.Types.Mixed,
    properties: Schema.Types.Mixed,
    status: { type: Number, default: LEAD.normal },
    createdBy: { type: String, required: true },
  },
  kept,
);
schema.index({ id_project: 1, lead_id: 1 }, { unique: true });
schema.index({ id_project: 1, status: 1, createdAt: -1, _id: -1 });
schema.index({ id_project: 1, email: 1 });
schema.index({ id_project: 1, tags: 1 });
// Names are of no language: nothing is stemmed and no word is left out.
schema.index({ id_project: 1, fullname: 'text', email: 'text' }, { default_language: 'none' });

/** Somebody who wrote to the project: `lead_id` is the visitor's or user's id (contract b 5.9). */
export const Lead = collection('leads', schema);

const Free = z.record(z.string(), z.unknown());
const text = () => maybe(z.string());

/** A lead on the wire (contract b 5.1). */
export const LeadView = z.strictObject({
  _id: Id,
  id_project: z.string(),
  lead_id: z.string(),
  fullname: text(),
  email: text(),
  phone: text(),
  company: text(),
  note: text(),
  streetAddress: text(),
  city: text(),
  region: text(),
  zipcode: text(),
  country: text(),
  tags: z.array(z.string()),
  attributes: maybe(Free),
  properties: maybe(Free),
  status: z.number(),
  createdBy: z.string(),
  createdAt: Time,
  updatedAt: Time,
  __v: z.number(),
});
