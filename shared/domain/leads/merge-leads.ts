/**
 * Merges two leads of one person at the request of a teammate or program. Leads are never merged automatically, because
 * a visitor could enter the email of another person and would then see that person's data.
 */
import type { ClientSession } from 'mongoose';
import { inTransaction } from '../../database/connection.ts';
import { emits } from '../../events.ts';
import { AppError } from '../../errors.ts';
import { LEAD_STATUS, Lead } from '../../models/lead.ts';
import { isId } from '../../wire/view.ts';
import { LeadFields, MAX_TAGS_PER_LEAD } from './lead-fields.ts';
import { leadUpdatedEvents, UPDATE_OPTIONS } from './lead-writes.ts';
import { findByLeadId, LEAD_FIELDS, type LeadKey, leadNotFound, type StoredLead } from './leads.ts';

type LeadField = keyof typeof LeadFields;

const UNMERGED_FIELDS = new Set<LeadField>(['lead_id', 'status']);
const MERGED_FIELDS = (Object.keys(LeadFields) as LeadField[]).filter((name) => !UNMERGED_FIELDS.has(name));

const hasValue = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/**
 * Returns the merged fields: the survivor's values, or those of the other lead if the survivor has none; tags and
 * free-form objects are combined.
 */
const mergeValues = (survivor: StoredLead, other: StoredLead): Partial<StoredLead> => {
  const free = (name: 'attributes' | 'properties') =>
    survivor[name] && other[name] ? { [name]: { ...other[name], ...survivor[name] } } : {};
  const missingFields = MERGED_FIELDS.filter((name) => !hasValue(survivor[name]) && hasValue(other[name]));
  return {
    ...Object.fromEntries(missingFields.map((name) => [name, other[name]])),
    ...free('attributes'),
    ...free('properties'),
    tags: [...new Set([...survivor.tags, ...other.tags])].slice(0, MAX_TAGS_PER_LEAD),
  };
};

/** Returns the `trusted_email` to set if the survivor takes the email of the other lead; otherwise no fields. */
const trustedEmailFrom = async (
  { id_project, _id }: LeadKey,
  { email }: Partial<StoredLead>,
  session: ClientSession,
) => {
  if (!email) return {};
  const other = await Lead.findOne({ _id, id_project }, { trusted_email: 1 }, { session }).lean();
  return { trusted_email: other?.trusted_email };
};

const findInSession = async ({ id_project, _id }: LeadKey, session: ClientSession): Promise<StoredLead> => {
  const lead = isId(_id) ? await Lead.findOne({ _id, id_project }, LEAD_FIELDS, { session }).lean() : null;
  if (!lead) throw leadNotFound();
  return lead;
};

const assertNotDeleted = ({ _id, status }: StoredLead): void => {
  if (status === LEAD_STATUS.deleted)
    throw new AppError(
      409,
      'LEAD_DELETED',
      `The lead ${String(_id)} has been deleted; only existing leads can be merged`,
    );
};

/**
 * Merges the lead `other` into the lead `_id`, the survivor, and returns the survivor. Emits an update of the survivor
 * and the deletion of the other lead, whose `lead_id` then resolves to the survivor. A job then moves the other lead's
 * conversations. Idempotent.
 * Errors: 404 for an unknown lead, 409 for a deleted lead, 422 if both leads are the same.
 */
export const merge = async ({ id_project, _id }: LeadKey, other: string): Promise<StoredLead> => {
  if (_id === other) throw new AppError(422, 'INVALID', 'lead: a lead cannot be merged into itself; name another lead');
  return inTransaction(async (session) => {
    const survivor = await findInSession({ id_project, _id }, session);
    const merged = await findInSession({ id_project, _id: other }, session);
    if (String(merged.merged_into) === _id) return survivor;
    for (const lead of [survivor, merged]) assertNotDeleted(lead);
    const set = mergeValues(survivor, merged);
    const mergeUpdate = { $set: { status: LEAD_STATUS.deleted, merged_into: _id } };
    await Lead.updateMany({ id_project, merged_into: other }, { $set: { merged_into: _id } }, { session });
    await Lead.updateOne({ _id: other, id_project }, mergeUpdate, { session, ...emits('lead.delete') });
    const options = { session, ...leadUpdatedEvents(Object.keys(set)), ...UPDATE_OPTIONS };
    const trust = await trustedEmailFrom({ id_project, _id: other }, set, session);
    return (await Lead.findOneAndUpdate(
      { _id, id_project },
      { $set: { ...set, ...trust } },
      options,
    ).lean()) as StoredLead;
  });
};

/**
 * Returns the newest lead with this `lead_id`, email or phone. Ignores deleted leads; throws 404 if no lead remains.
 */
export const lookUp = async (id_project: string, key: { lead_id?: string; email?: string; phone?: string }) => {
  const notDeleted = { id_project, status: { $ne: LEAD_STATUS.deleted } };
  const found = key.lead_id
    ? await findByLeadId(id_project, key.lead_id)
    : await Lead.findOne({ ...key, ...notDeleted }, LEAD_FIELDS)
        .sort({ createdAt: -1 })
        .lean();
  if (!found || found.status === LEAD_STATUS.deleted) throw leadNotFound();
  return found;
};
