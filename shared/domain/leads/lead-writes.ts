/** Writes leads for teammates and programs. */
import type { UpdateQuery } from 'mongoose';
import { newId, newUuid } from '../../context.ts';
import { inTransaction } from '../../database/connection.ts';
import { insertIfAbsent } from '../../database/unique-keys.ts';
import { emits } from '../../events.ts';
import { readOne } from '../../database/raw-read.ts';
import { AppError } from '../../errors.ts';
import { LEAD_STATUS, Lead } from '../../models/lead.ts';
import { Outbox } from '../../models/outbox.ts';
import { FreeObject, isId } from '../../wire/view.ts';
import { MAX_TAGS_PER_LEAD } from './lead-fields.ts';
import { find, LEAD_FIELDS, type LeadKey, leadNotFound, type StoredLead } from './leads.ts';

/** The fields of a lead that can be updated. Absent fields are unchanged. */
export type LeadUpdate = Partial<
  Omit<StoredLead, '_id' | 'id_project' | 'lead_id' | 'properties' | 'createdBy' | '__v'>
>;

/** The free-form objects of a lead. */
export type FreeField = 'attributes' | 'properties';

/** Query options of writes that return the updated lead. */
export const UPDATE_OPTIONS = { returnDocument: 'after', projection: LEAD_FIELDS } as const;
const UPDATE_EVENTS = emits('lead.update');

/**
 * Returns the events of an update to the given fields. A change to the name or email also emits events of its own; for
 * these, a listener announces the change in the lead's latest conversation. For every `lead.update`, another listener
 * copies the lead into its conversations.
 */
export const leadUpdatedEvents = (fields: string[]) => {
  const [name, email] = ['fullname', 'email'].map((field) => fields.includes(field));
  return emits(
    'lead.update',
    ...(name ? (['lead.fullname.update'] as const) : []),
    ...(email ? (['lead.email.update'] as const) : []),
    ...(name || email ? (['lead.fullname.email.update'] as const) : []),
  );
};

/** Marks the email as trusted, because a teammate or program has provided it. */
const withTrustedEmail = <C extends { email?: string | null }>(fields: C) =>
  fields.email ? { ...fields, trusted_email: fields.email } : fields;

/** Creates a lead. Throws 409 if another lead has its `lead_id`, which links conversations to their lead. */
export const create = async (
  id_project: string,
  { lead_id = newUuid(), ...fields }: { lead_id?: string; fullname?: string; email?: string; attributes?: object },
  createdBy: string,
): Promise<StoredLead> => {
  const _id = newId();
  const record = { _id, id_project, lead_id, ...withTrustedEmail(fields), createdBy };
  await insertIfAbsent(() => Lead.create([record], emits('lead.create')));
  const lead = await readOne(Lead, { id_project, _id }, LEAD_FIELDS);
  if (!lead)
    throw new AppError(409, 'ALREADY_EXISTS', `lead_id: another lead has the id ${lead_id}; choose a different one`);
  return lead as StoredLead;
};

const updateStored = async (
  { id_project, _id }: LeadKey,
  update: UpdateQuery<unknown>,
  options: object,
): Promise<StoredLead> => {
  if (!isId(_id)) throw leadNotFound();
  const lead = await Lead.findOneAndUpdate({ _id, id_project }, update, { ...options, ...UPDATE_OPTIONS }).lean();
  if (!lead) throw leadNotFound();
  return lead;
};

/** Updates fields of a lead. Throws 404 if it does not exist. */
export const update = (key: LeadKey, change: LeadUpdate): Promise<StoredLead> =>
  Object.keys(change).length
    ? updateStored(key, { $set: withTrustedEmail(change) }, leadUpdatedEvents(Object.keys(change)))
    : find(key);

const updateChecked = (key: LeadKey, update: UpdateQuery<unknown>, check: (lead: StoredLead) => string | undefined) =>
  inTransaction(async (session) => {
    const lead = await updateStored(key, update, { ...UPDATE_EVENTS, session });
    const fault = check(lead);
    if (fault) throw new AppError(422, 'INVALID', fault);
    return lead;
  });

/** Adds tags and skips existing ones. Errors: 404 for an unknown lead, 422 if the lead would have too many tags. */
export const addTags = (key: LeadKey, tags: string[]): Promise<StoredLead> =>
  updateChecked(key, { $addToSet: { tags: { $each: tags } } }, ({ tags: merged }) =>
    merged.length > MAX_TAGS_PER_LEAD
      ? `tags: a lead can have at most ${MAX_TAGS_PER_LEAD} tags; remove some first`
      : undefined,
  );

/** Removes a tag without emitting an event. Throws 404 if the lead does not exist. */
export const removeTag = (key: LeadKey, tag: string): Promise<StoredLead> =>
  updateStored(key, { $pull: { tags: tag } }, {});

/**
 * Merges keys into a free-form object of a lead. Errors: 404 for an unknown lead, 422 if the object would exceed its
 * size limit.
 */
export const mergeFields = async (
  key: LeadKey,
  name: FreeField,
  values: Record<string, unknown>,
): Promise<StoredLead> => {
  const set = Object.fromEntries(Object.entries(values).map(([field, value]) => [`${name}.${field}`, value]));
  if (!Object.keys(set).length) return find(key);
  return updateChecked(key, { $set: set }, ({ [name]: merged }) => {
    const { error } = FreeObject.safeParse(merged);
    return error && `${name}: ${error.issues[0]?.message}`;
  });
};

/** Marks a lead as deleted; its record stays. Throws 404 if it does not exist. */
export const remove = async (key: LeadKey): Promise<StoredLead> => {
  await find(key);
  const notDeleted = { ...key, status: { $ne: LEAD_STATUS.deleted } };
  await Lead.updateOne(notDeleted, { $set: { status: LEAD_STATUS.deleted } }, emits('lead.delete'));
  return find(key);
};

/**
 * Deletes the record of a lead. Emits `lead.delete` unless the lead is already marked as deleted. Throws 404 if it does
 * not exist.
 */
export const erase = ({ id_project, _id }: LeadKey): Promise<void> =>
  inTransaction(async (session) => {
    const options = { session, projection: LEAD_FIELDS };
    const lead = isId(_id) ? await Lead.findOneAndDelete({ _id, id_project }, options).lean() : null;
    if (!lead) throw leadNotFound();
    if (lead.status === LEAD_STATUS.deleted) return;
    await Outbox.create([{ id_project, record: _id, view: lead }], { session, ...emits('lead.delete') });
  });
