/** What may be told of a lead, by its field, however it is told. */
import { z } from 'zod';
import { LEAD } from '../../models/lead.ts';
import { oneOfNumbers } from '../../lenient.ts';
import { FreeObject } from '../../view.ts';
import { phoneOf } from './phones.ts';

const NAME = 200;
const NOTE = 4000;
const EMAIL = 320;

/** Tags of one lead. */
export const MOST_TAGS = 100;

const line = z.string().max(NAME);

/** Tags, each once. */
export const Tags = z.array(z.string().min(1).max(NAME)).max(MOST_TAGS);

export const LeadFields = {
  lead_id: line.min(1),
  fullname: line,
  email: z.string().max(EMAIL),
  phone: line.transform(phoneOf),
  company: line,
  note: z.string().max(NOTE),
  streetAddress: line,
  city: line,
  region: line,
  zipcode: line,
  country: line,
  tags: Tags.transform((tags) => [...new Set(tags)]),
  status: oneOfNumbers(Object.values(LEAD)),
  attributes: FreeObject,
  properties: FreeObject,
};
