/** Leads: who wrote to the project (contract b 5.9). */
import type { ClientSession } from 'mongoose';
import type { z } from 'zod';
import { emits } from '../emits.ts';
import { LEAD, Lead, LeadView } from '../models/lead.ts';
import { readOne } from '../read.ts';
import { fieldsOf } from '../view.ts';
import { insert } from '../write.ts';

const FIELDS = fieldsOf(LeadView);

export type StoredLead = z.input<typeof LeadView>;

/** What is known of somebody who writes. */
export interface Introduced {
  lead_id: string;
  fullname?: string;
  email?: string;
  attributes?: Record<string, unknown>;
}

/** The lead that somebody is, if there is one. */
export const known = async (id_project: string, lead_id: string): Promise<StoredLead | null> =>
  (await readOne(Lead, { id_project, lead_id }, FIELDS)) as StoredLead | null;

/** A lead that does not exist yet; `_id` is its own. */
export const fresh = (id_project: string, _id: string, introduced: Introduced): StoredLead => {
  const now = new Date();
  const more = { tags: [], status: LEAD.normal, createdBy: 'system', createdAt: now, updatedAt: now, __v: 0 };
  return { _id, id_project, ...introduced, ...more };
};

/** Store a lead that is new. */
export const make = async (lead: StoredLead, session: ClientSession): Promise<StoredLead> => {
  await insert(Lead, lead, { session, ...emits('lead.create') });
  return lead;
};

/** Somebody wrote under another e-mail: the lead takes that and the name. */
export const rename = async (lead: StoredLead, { email, fullname }: Introduced, session: ClientSession) => {
  const told = emits('lead.update', 'lead.fullname.update', 'lead.email.update', 'lead.fullname.email.update');
  const own = { _id: lead._id, id_project: lead.id_project };
  const options = { ...told, session, returnDocument: 'after', projection: FIELDS } as const;
  return (await Lead.findOneAndUpdate(own, { $set: { email, fullname } }, options).lean()) as StoredLead;
};

/** True when the e-mail that is told differs from the lead's. */
export const differs = (lead: StoredLead, { email }: Introduced): boolean =>
  email !== undefined && email !== lead.email;
