import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, kept } from '../mongo.ts';
import { wordsOf } from '../search/words.ts';
import { Id, maybe, Time } from '../view.ts';
import { worded } from './plugins/worded.ts';

/** The status of a lead that is in use; 1000 is deleted (contract b 5.1). */
export const LEAD = { temporary: 50, normal: 100, deleted: 1000 } as const;

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    lead_id: { type: String, required: true },
    fullname: String,
    email: String,
    /** The e-mail as somebody gave it who knows: a teammate, the integrator, or an account that proved it. What a visitor types is not. */
    trusted_email: String,
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
    /** The lead that this one turned out to be. */
    merged_into: String,
    /** When its visitor changed name or e-mail, the latest first. */
    renamed: { type: [Date], default: undefined, select: false },
    /** By which it is found. */
    fullname_words: { type: [String], default: undefined, select: false },
    email_words: { type: [String], default: undefined, select: false },
    createdBy: { type: String, required: true },
  },
  kept,
);
worded(schema, ({ fullname, email }) => ({
  ...(typeof fullname === 'string' && { fullname_words: wordsOf(fullname) }),
  ...(typeof email === 'string' && { email_words: wordsOf(email) }),
}));
schema.index({ id_project: 1, lead_id: 1 }, { unique: true });
schema.index({ id_project: 1, status: 1, createdAt: -1, _id: -1 });
schema.index({ id_project: 1, email: 1 });
schema.index({ id_project: 1, phone: 1 });
schema.index({ id_project: 1, merged_into: 1 }, { partialFilterExpression: { merged_into: { $exists: true } } });
schema.index({ id_project: 1, tags: 1 });
schema.index({ id_project: 1, fullname_words: 1 });
schema.index({ id_project: 1, email_words: 1 });

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
  merged_into: maybe(Id).meta({ description: 'The lead that this one turned out to be' }),
  createdBy: z.string(),
  createdAt: Time,
  updatedAt: Time,
  __v: z.number(),
});
