import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, schemaOptions } from '../database/collection.ts';
import { searchKeywords } from '../database/plugins/search-keywords.ts';
import { extractKeywords } from '../search/words.ts';
import { Id, optionalField, Time, view } from '../wire/view.ts';

/** The statuses of a lead. A temporary lead becomes normal when its visitor ends a preflight. */
export const LEAD_STATUS = { temporary: 50, normal: 100, deleted: 1000 } as const;

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    lead_id: { type: String, required: true },
    fullname: String,
    email: String,
    /**
     * The email address, if its source is trusted: a teammate, the project's own system, or an account with a verified
     * address. Not set from visitor input.
     */
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
    status: { type: Number, default: LEAD_STATUS.normal },
    /** The lead into which this lead was merged. */
    merged_into: String,
    /** The times of the visitor's latest changes to their email address, newest first; limited per hour. */
    renamedAt: { type: [Date], default: undefined, select: false },
    /** Search keywords. */
    fullname_keywords: { type: [String], default: undefined, select: false },
    email_keywords: { type: [String], default: undefined, select: false },
    createdBy: { type: String, required: true },
  },
  schemaOptions,
);
searchKeywords(schema, ({ fullname, email }) => ({
  ...(typeof fullname === 'string' && { fullname_keywords: extractKeywords(fullname) }),
  ...(typeof email === 'string' && { email_keywords: extractKeywords(email) }),
}));
schema.index({ id_project: 1, lead_id: 1 }, { unique: true });
schema.index({ id_project: 1, status: 1, createdAt: -1, _id: -1 });
schema.index({ id_project: 1, email: 1 });
schema.index({ id_project: 1, phone: 1 });
schema.index({ id_project: 1, merged_into: 1 }, { partialFilterExpression: { merged_into: { $exists: true } } });
schema.index({ id_project: 1, tags: 1 });
schema.index({ id_project: 1, fullname_keywords: 1 });
schema.index({ id_project: 1, email_keywords: 1 });

/** Leads: people who contacted a project. `lead_id` is the visitor's id, an id that a caller chose, or a random one. */
export const Lead = collection('leads', schema);

const AnyObject = z.record(z.string(), z.unknown());
const optionalText = () => optionalField(z.string());

/** A lead on the wire. */
export const LeadView = view('Lead', {
  _id: Id,
  id_project: z.string(),
  lead_id: z.string(),
  fullname: optionalText(),
  email: optionalText(),
  phone: optionalText(),
  company: optionalText(),
  note: optionalText(),
  streetAddress: optionalText(),
  city: optionalText(),
  region: optionalText(),
  zipcode: optionalText(),
  country: optionalText(),
  tags: z.array(z.string()),
  attributes: optionalField(AnyObject),
  properties: optionalField(AnyObject),
  status: z.number(),
  merged_into: optionalField(Id).meta({ description: 'Id of the lead into which this lead was merged' }),
  createdBy: z.string(),
  createdAt: Time,
  updatedAt: Time,
  __v: z.number(),
});
