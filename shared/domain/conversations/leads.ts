/** Leads: who wrote to the project, and how they are found (contract b 5.2, 5.4, 5.9). */
import type { ClientSession } from 'mongoose';
import type { z } from 'zod';
import { emits } from '../../emits.ts';
import { notFound } from '../../errors.ts';
import { LEAD, Lead, LeadView } from '../../models/lead.ts';
import { readMany, readOne } from '../../read.ts';
import { fieldsOf, isId } from '../../view.ts';
import { insert } from '../../write.ts';

/** What is read of a lead. */
export const FIELDS = fieldsOf(LeadView);

export type StoredLead = z.input<typeof LeadView>;

/** What is known of somebody who writes. */
export interface Introduced {
  lead_id: string;
  fullname?: string;
  email?: string;
  /** The e-mail is not just a visitor's word. */
  isTrusted?: boolean;
  phone?: string;
  attributes?: Record<string, unknown>;
}

const readLead = (filter: { id_project: string; _id?: string; lead_id?: string }) =>
  readOne(Lead, filter, FIELDS) as Promise<StoredLead | null>;

/** The lead that somebody is, if there is one; where that was merged, the other one, under the id that somebody goes by. */
export const known = async (id_project: string, lead_id: string): Promise<StoredLead | null> => {
  const lead = await readLead({ id_project, lead_id });
  if (!lead?.merged_into) return lead;
  const kept = await readLead({ id_project, _id: lead.merged_into as string });
  return kept ? { ...kept, lead_id } : lead;
};

/** Which lead, by its `_id`. */
export interface Which {
  id_project: string;
  _id: string;
}

/** A lead that is not there, or not this project's. */
export const missing = () => notFound('Lead not found');

/** One lead, deleted or not; 404 where there is none. */
export const find = async ({ id_project, _id }: Which): Promise<StoredLead> => {
  const lead = isId(_id) ? await readOne(Lead, { id_project, _id }, FIELDS) : null;
  if (!lead) throw missing();
  return lead as StoredLead;
};

/** The leads of a page; the filter names its project. */
export const list = async (
  filter: { id_project: string },
  page: { sort: Record<string, 1 | -1>; skip: number; limit: number },
): Promise<StoredLead[]> => (await readMany(Lead, filter, { fields: FIELDS, ...page })) as StoredLead[];

/** A lead that does not exist yet; `_id` is its own. */
export const fresh = (id_project: string, _id: string, introduced: Introduced): StoredLead => {
  const { lead_id, fullname, email, phone, attributes } = introduced;
  const now = new Date();
  const more = { tags: [], status: LEAD.normal, createdBy: 'system', createdAt: now, updatedAt: now, __v: 0 };
  return { _id, id_project, lead_id, fullname, email, phone, attributes, ...more };
};

const trustIn = ({ email, isTrusted }: Introduced) => (email && isTrusted ? { trusted_email: email } : {});

/** True where somebody who knows gave this e-mail of a lead. */
export const isTrusted = async ({ id_project, _id }: Which, email: string): Promise<boolean> =>
  (await Lead.exists({ id_project, _id, email, trusted_email: email })) !== null;

/** Store a lead that is new. */
export const make = async (lead: StoredLead, introduced: Introduced, session: ClientSession): Promise<StoredLead> => {
  await insert(Lead, { ...lead, ...trustIn(introduced) }, { session, ...emits('lead.create') });
  return lead;
};

const HOUR_MS = 3_600_000;
/** Changes of name and e-mail that one visitor makes in an hour. */
const MOST_RENAMES = 5;

/** The last changes that the visitor made, the latest first: the fifth of them is an hour old, or there are fewer. */
const mayRename = () => {
  const fifth = `renamed.${MOST_RENAMES - 1}`;
  return { $or: [{ [fifth]: { $exists: false } }, { [fifth]: { $lte: new Date(Date.now() - HOUR_MS) } }] };
};

/** A change of name and e-mail; `byVisitor`: no more than a few are made in an hour, the lead stays as it is at the others. */
interface Renaming {
  byVisitor: boolean;
  session: ClientSession;
}

/** Give a lead the e-mail and name under which somebody wrote, and the phone where one is known; the lead as it is then. */
export const rename = async (
  lead: StoredLead,
  introduced: Introduced,
  { byVisitor, session }: Renaming,
): Promise<StoredLead> => {
  const { email, fullname, phone } = introduced;
  const told = emits('lead.update', 'lead.fullname.update', 'lead.email.update', 'lead.fullname.email.update');
  const own = { _id: lead._id, id_project: lead.id_project, ...(byVisitor && mayRename()) };
  const noted = byVisitor && { $push: { renamed: { $each: [new Date()], $position: 0, $slice: MOST_RENAMES } } };
  const options = { ...told, session, returnDocument: 'after', projection: FIELDS } as const;
  const set = { email, fullname, ...(phone && { phone }), ...trustIn(introduced) };
  const renamed = await Lead.findOneAndUpdate(own, { $set: set, ...noted }, options).lean();
  return renamed ? { ...(renamed as StoredLead), lead_id: lead.lead_id } : lead;
};

/** True when the e-mail that is told differs from the lead's. */
export const differs = (lead: StoredLead, { email }: Introduced): boolean =>
  email !== undefined && email !== lead.email;
