/** Leads: the contact records of a project. Finds leads, and writes them when a conversation is opened. */
import type { ClientSession } from 'mongoose';
import type { z } from 'zod';
import { emits } from '../../events.ts';
import { readMany, readOne } from '../../database/raw-read.ts';
import { insertRecord } from '../../database/raw-write.ts';
import { notFound } from '../../errors.ts';
import { LEAD_STATUS, Lead, LeadView } from '../../models/lead.ts';
import { currentTime, currentTimeMs } from '../../time/clock.ts';
import { isId, projectionOf } from '../../wire/view.ts';

/** The fields of a lead that the API returns. */
export const LEAD_FIELDS = projectionOf(LeadView);

export type StoredLead = z.input<typeof LeadView>;

/** The known data of a person who opens a conversation. */
export interface LeadProfile {
  lead_id: string;
  fullname?: string;
  email?: string;
  /** Whether the email is trusted: it is verified, or a teammate, a program or a signed token has provided it. */
  isTrusted?: boolean;
  phone?: string;
  attributes?: Record<string, unknown>;
}

const readLead = (filter: { id_project: string; _id?: string; lead_id?: string }) =>
  readOne(Lead, filter, LEAD_FIELDS) as Promise<StoredLead | null>;

/**
 * Returns the lead that has this `lead_id`, or null. If the lead was merged into another one, returns the other lead,
 * but with this `lead_id`.
 */
export const findByLeadId = async (id_project: string, lead_id: string): Promise<StoredLead | null> => {
  const lead = await readLead({ id_project, lead_id });
  if (!lead?.merged_into) return lead;
  const survivor = await readLead({ id_project, _id: lead.merged_into as string });
  return survivor ? { ...survivor, lead_id } : lead;
};

/** Identifies a lead. */
export interface LeadKey {
  id_project: string;
  _id: string;
}

/** Builds the 404 error for a lead that does not exist in the project. */
export const leadNotFound = () => notFound('Lead not found');

/** Returns a lead, even a deleted one; throws 404 if it does not exist. */
export const find = async ({ id_project, _id }: LeadKey): Promise<StoredLead> => {
  const lead = isId(_id) ? await readOne(Lead, { id_project, _id }, LEAD_FIELDS) : null;
  if (!lead) throw leadNotFound();
  return lead as StoredLead;
};

/** Returns a page of the leads that match the filter. */
export const list = async (
  filter: { id_project: string },
  page: { sort: Record<string, 1 | -1>; skip: number; limit: number },
): Promise<StoredLead[]> => (await readMany(Lead, filter, { fields: LEAD_FIELDS, ...page })) as StoredLead[];

/** Builds a new lead with the given `_id`. */
export const buildLead = (id_project: string, _id: string, profile: LeadProfile): StoredLead => {
  const { lead_id, fullname, email, phone, attributes } = profile;
  const now = currentTime();
  const defaults = {
    tags: [],
    status: LEAD_STATUS.normal,
    createdBy: 'system',
    createdAt: now,
    updatedAt: now,
    __v: 0,
  };
  return { _id, id_project, lead_id, fullname, email, phone, attributes, ...defaults };
};

const trustedEmailOf = ({ email, isTrusted }: LeadProfile) => (email && isTrusted ? { trusted_email: email } : {});

/** Returns whether an email is that of the lead and comes from a trusted source. */
export const isTrusted = async ({ id_project, _id }: LeadKey, email: string): Promise<boolean> =>
  (await Lead.exists({ id_project, _id, email, trusted_email: email })) !== null;

/** Stores a new lead. */
const insertLead = async (lead: StoredLead, profile: LeadProfile, session: ClientSession): Promise<StoredLead> => {
  await insertRecord(Lead, { ...lead, ...trustedEmailOf(profile) }, { session, ...emits('lead.create') });
  return lead;
};

const HOUR_MS = 3_600_000;
/** Maximum number of times per hour that a visitor can change their email, with or without their name. */
const MAX_RENAMES_PER_HOUR = 5;

/**
 * Returns the filter for a lead whose visitor has not reached the limit. `renamedAt` holds the times of the latest
 * changes, newest first.
 */
const renameAllowedFilter = () => {
  const oldest = `renamedAt.${MAX_RENAMES_PER_HOUR - 1}`;
  return { $or: [{ [oldest]: { $exists: false } }, { [oldest]: { $lte: new Date(currentTimeMs() - HOUR_MS) } }] };
};

/** Options of `rename`. With `byVisitor`, a change that exceeds the hourly limit is ignored. */
interface RenameOptions {
  byVisitor: boolean;
  session: ClientSession;
}

/** Sets the email, the name and, if known, the phone of a lead to those of the profile. Returns the resulting lead. */
const rename = async (
  lead: StoredLead,
  profile: LeadProfile,
  { byVisitor, session }: RenameOptions,
): Promise<StoredLead> => {
  const { email, fullname, phone } = profile;
  const events = emits('lead.update', 'lead.fullname.update', 'lead.email.update', 'lead.fullname.email.update');
  const filter = { _id: lead._id, id_project: lead.id_project, ...(byVisitor && renameAllowedFilter()) };
  const renameTimes = byVisitor && {
    $push: { renamedAt: { $each: [currentTime()], $position: 0, $slice: MAX_RENAMES_PER_HOUR } },
  };
  const options = { ...events, session, returnDocument: 'after', projection: LEAD_FIELDS } as const;
  const set = { email, fullname, ...(phone && { phone }), ...trustedEmailOf(profile) };
  const renamed = await Lead.findOneAndUpdate(filter, { $set: set, ...renameTimes }, options).lean();
  return renamed ? { ...(renamed as StoredLead), lead_id: lead.lead_id } : lead;
};

/** Returns whether the profile has an email that differs from the lead's. */
const hasNewEmail = (lead: StoredLead, { email }: LeadProfile): boolean => email !== undefined && email !== lead.email;

/** The lead of a person who opens a conversation or signs in: the existing one, or `newLead` if there is none. */
export interface LeadResolution {
  existing: StoredLead | null;
  profile: LeadProfile;
  newLead: StoredLead;
  byVisitor: boolean;
}

/**
 * Stores a new lead, or updates the existing one if the person has given a different email. Returns the stored lead.
 */
export const storeLead = async (
  { existing, profile, newLead, byVisitor }: LeadResolution,
  session: ClientSession,
): Promise<StoredLead> => {
  if (!existing) return insertLead(newLead, profile, session);
  return hasNewEmail(existing, profile) ? rename(existing, profile, { byVisitor, session }) : existing;
};
