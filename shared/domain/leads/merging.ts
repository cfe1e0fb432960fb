/**
 * Two records of one person become one, because a teammate or a program of the project says so. None is ever merged by itself: an e-mail
 * that a visitor types in proves nothing, and whoever typed another person's would be shown what belongs to that one.
 */
import type { ClientSession } from 'mongoose';
import { emits } from '../../emits.ts';
import { AppError } from '../../errors.ts';
import { LEAD, Lead } from '../../models/lead.ts';
import { inTransaction } from '../../mongo.ts';
import { isId } from '../../view.ts';
import { SHOWN } from '../conversations/lead-changes.ts';
import { FIELDS, known, missing, type StoredLead, type Which } from '../conversations/leads.ts';
import { LeadFields, MOST_TAGS } from './fields.ts';
import { updated } from './told.ts';

type Name = keyof typeof LeadFields;

const OWN = new Set<Name>(['lead_id', 'status']);
const NAMES = (Object.keys(LeadFields) as Name[]).filter((name) => !OWN.has(name));

const isThere = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** Of each field what the kept one says, and where that says nothing, the other one; tags and free objects are laid together. */
const joined = (kept: StoredLead, other: StoredLead): Partial<StoredLead> => {
  const free = (name: 'attributes' | 'properties') =>
    kept[name] && other[name] ? { [name]: { ...other[name], ...kept[name] } } : {};
  const taken = NAMES.filter((name) => !isThere(kept[name]) && isThere(other[name]));
  return {
    ...Object.fromEntries(taken.map((name) => [name, other[name]])),
    ...free('attributes'),
    ...free('properties'),
    tags: [...new Set([...kept.tags, ...other.tags])].slice(0, MOST_TAGS),
  };
};

/** Where the kept one takes the other's e-mail, what is known of it comes along. */
const trustFrom = async ({ id_project, _id }: Which, { email }: Partial<StoredLead>, session: ClientSession) => {
  if (!email) return {};
  const other = await Lead.findOne({ _id, id_project }, { trusted_email: 1 }, { session }).lean();
  return { trusted_email: other?.trusted_email };
};

const find = async ({ id_project, _id }: Which, session: ClientSession): Promise<StoredLead> => {
  const lead = isId(_id) ? await Lead.findOne({ _id, id_project }, FIELDS, { session }).lean() : null;
  if (!lead) throw missing();
  return lead;
};

const refuseGone = ({ _id, status }: StoredLead): void => {
  if (status === LEAD.deleted) throw new AppError(409, 'DELETED', `The lead ${String(_id)} was deleted`);
};

/**
 * Merge another lead into this one, which is then told of as changed, the other one as deleted. Its conversations follow by a job, and whoever
 * goes by its `lead_id` is this one from now on. Again it changes nothing. Errors: 404, 409 for a deleted lead, 422 for one and the same.
 */
export const merge = async ({ id_project, _id }: Which, other: string): Promise<StoredLead> => {
  if (_id === other) throw new AppError(422, 'INVALID', 'lead: a lead is not merged into itself');
  return inTransaction(async (session) => {
    const kept = await find({ id_project, _id }, session);
    const gone = await find({ id_project, _id: other }, session);
    if (String(gone.merged_into) === _id) return kept;
    for (const lead of [kept, gone]) refuseGone(lead);
    const set = joined(kept, gone);
    const into = { $set: { status: LEAD.deleted, merged_into: _id } };
    await Lead.updateMany({ id_project, merged_into: other }, { $set: { merged_into: _id } }, { session });
    await Lead.updateOne({ _id: other, id_project }, into, { session, ...emits('lead.delete') });
    const options = { session, ...updated(Object.keys(set)), ...SHOWN };
    const trust = await trustFrom({ id_project, _id: other }, set, session);
    return (await Lead.findOneAndUpdate(
      { _id, id_project },
      { $set: { ...set, ...trust } },
      options,
    ).lean()) as StoredLead;
  });
};

/** Somebody by one thing that is known: the latest one in use; 404 where there is none. */
export const lookUp = async (id_project: string, by: { lead_id?: string; email?: string; phone?: string }) => {
  const use = { id_project, status: { $ne: LEAD.deleted } };
  const found = by.lead_id
    ? await known(id_project, by.lead_id)
    : await Lead.findOne({ ...by, ...use }, FIELDS)
        .sort({ createdAt: -1 })
        .lean();
  if (!found || found.status === LEAD.deleted) throw missing();
  return found;
};
