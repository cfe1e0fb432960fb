/** The schemas of lead fields, for the API and CSV imports. A merge combines all fields but `lead_id` and `status`. */
import type * as PhoneNumbers from 'libphonenumber-js/min';
import { z } from 'zod';
import { LEAD_STATUS } from '../../models/lead.ts';
import { loadPackage } from '../../load-package.ts';
import { oneOfNumbers } from '../../wire/coercion.ts';
import { FreeObject } from '../../wire/view.ts';

const MAX_NAME_LENGTH = 200;
const MAX_NOTE_LENGTH = 4000;
const MAX_EMAIL_LENGTH = 320;

/** Maximum number of tags per lead. */
export const MAX_TAGS_PER_LEAD = 100;

const phoneNumbers = () => loadPackage('libphonenumber-js/min') as typeof PhoneNumbers;

/**
 * Normalizes a phone number: to the international format if it has a country code, otherwise to its digits. A string
 * without digits is returned unchanged.
 */
export const normalizePhone = (text: string): string =>
  phoneNumbers().parsePhoneNumberFromString(text)?.number ?? (text.replace(/\D/g, '') || text);

const shortText = z.string().max(MAX_NAME_LENGTH);

export const Tags = z.array(z.string().min(1).max(MAX_NAME_LENGTH)).max(MAX_TAGS_PER_LEAD);

export const LeadFields = {
  lead_id: shortText.min(1),
  fullname: shortText,
  email: z.string().max(MAX_EMAIL_LENGTH),
  phone: shortText.transform(normalizePhone),
  company: shortText,
  note: z.string().max(MAX_NOTE_LENGTH),
  streetAddress: shortText,
  city: shortText,
  region: shortText,
  zipcode: shortText,
  country: shortText,
  tags: Tags.transform((tags) => [...new Set(tags)]),
  status: oneOfNumbers(Object.values(LEAD_STATUS)),
  attributes: FreeObject,
  properties: FreeObject,
};
