/** What teammates do to leads (contract b 5.5-5.8). */
import type { UpdateQuery } from 'mongoose';
import { newId, newUuid } from '../../context.ts';
import { emits } from '../../emits.ts';
import { AppError } from '../../errors.ts';
import { LEAD, Lead } from '../../models/lead.ts';
import { Outbox } from '../../models/outbox.ts';
import { inTransaction, makeOnce } from '../../mongo.ts';
import { readOne } from '../../read.ts';
import { FreeObject, isId } from '../../view.ts';
import { MOST_TAGS } from '../leads/fields.ts';
import { updated } from '../leads/told.ts';
import { FIELDS, find, missing, type StoredLead, type Which } from './leads.ts';

/** What may be set of a lead; what is absent stays as it is. */
export type Change = Partial<Omit<StoredLead, '_id' | 'id_project' | 'lead_id' | 'properties' | 'createdBy' | '__v'>>;

/** A free object of a lead. */
export type Free = 'attributes' | 'properties';

/** A lead as a write of it answers. */
export const SHOWN = { returnDocument: 'after', projection: FIELDS } as const;
const UPDATED = emits('lead.update');

/** What a teammate or program gives of a lead: its e-mail is trusted. */
const trusting = <C extends { email?: string | null }>(given: C) =>
  given.email ? { ...given, trusted_email: given.email } : given;

/** Make a lead; 409 where its `lead_id` is somebody's already, for conversations find their lead by it. */
export const create = async (
  id_project: string,
  { lead_id = newUuid(), ...given }: { lead_id?: string; fullname?: string; email?: string; attributes?: object },
  createdBy: string,
): Promise<StoredLead> => {
  const _id = newId();
  const record = { _id, id_project, lead_id, ...trusting(given), createdBy };
  await makeOnce(() => Lead.create([record], emits('lead.create')));
  const lead = await readOne(Lead, { id_project, _id }, FIELDS);
  if (!lead) throw new AppError(409, 'EXISTS', `lead_id: ${lead_id} is that of another lead`);
  return lead as StoredLead;
};

const changed = async (
  { id_project, _id }: Which,
  update: UpdateQuery<unknown>,
  options: object,
): Promise<StoredLead> => {
  if (!isId(_id)) throw missing();
  const lead = await Lead.findOneAndUpdate({ _id, id_project }, update, { ...options, ...SHOWN }).lean();
  if (!lead) throw missing();
  return lead;
};

/** Set what is given of a lead. */
export const update = (which: Which, change: Change): Promise<StoredLead> =>
  Object.keys(change).length ? changed(which, { $set: trusting(change) }, updated(Object.keys(change))) : find(which);

const checkedChange = (which: Which, update: UpdateQuery<unknown>, check: (lead: StoredLead) => string | undefined) =>
  inTransaction(async (session) => {
    const lead = await changed(which, update, { ...UPDATED, session });
    const fault = check(lead);
    if (fault) throw new AppError(422, 'INVALID', fault);
    return lead;
  });

/** Add the tags that a lead does not have; 422 where it would have too many. */
export const addTags = (which: Which, tags: string[]): Promise<StoredLead> =>
  checkedChange(which, { $addToSet: { tags: { $each: tags } } }, ({ tags: all }) =>
    all.length > MOST_TAGS ? `tags: a lead has at most ${MOST_TAGS}` : undefined,
  );

/** Take a tag from a lead; nothing is told. */
export const removeTag = (which: Which, tag: string): Promise<StoredLead> =>
  changed(which, { $pull: { tags: tag } }, {});

/** Lay some keys over a free object of a lead; 422 where it would grow too large. */
export const merge = async (which: Which, name: Free, values: Record<string, unknown>): Promise<StoredLead> => {
  const set = Object.fromEntries(Object.entries(values).map(([key, value]) => [`${name}.${key}`, value]));
  if (!Object.keys(set).length) return find(which);
  return checkedChange(which, { $set: set }, ({ [name]: whole }) => {
    const { error } = FreeObject.safeParse(whole);
    return error && `${name}: ${error.issues[0]?.message}`;
  });
};

/** Delete a lead; it stays in storage. */
export const remove = async (which: Which): Promise<StoredLead> => {
  await find(which);
  const inUse = { ...which, status: { $ne: LEAD.deleted } };
  await Lead.updateOne(inUse, { $set: { status: LEAD.deleted } }, emits('lead.delete'));
  return find(which);
};

/** Remove a lead from storage; its deletion is told of where it was not yet. */
export const erase = ({ id_project, _id }: Which): Promise<void> =>
  inTransaction(async (session) => {
    const options = { session, projection: FIELDS };
    const lead = isId(_id) ? await Lead.findOneAndDelete({ _id, id_project }, options).lean() : null;
    if (!lead) throw missing();
    if (lead.status === LEAD.deleted) return;
    await Outbox.create([{ id_project, record: _id, shown: lead }], { session, ...emits('lead.delete') });
  });
