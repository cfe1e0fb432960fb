/** Updates existing leads from rows of a CSV file and creates the others. */
import { isDeepStrictEqual } from 'node:util';
import type { ClientSession } from 'mongoose';
import { emits } from '../../../events.ts';
import { LEAD_STATUS, Lead } from '../../../models/lead.ts';
import { FreeObject } from '../../../wire/view.ts';
import { leadUpdatedEvents } from '../lead-writes.ts';
import { LEAD_FIELDS } from '../leads.ts';
import type { RowFault, RowValues } from './import-rows.ts';

/** A valid row, and the ids for the lead that the row creates if the lead does not exist. */
export interface ImportRow {
  line: number;
  values: RowValues;
  ids: { _id: string; lead_id: string };
}

/** The numbers of rows that created a lead, updated one, or changed nothing, and the faults of the other rows. */
export interface UpsertResult {
  created: number;
  updated: number;
  unchanged: number;
  faults: (RowFault & { line: number })[];
}

interface LeadDraft {
  lead: Record<string, unknown> & { _id: unknown; lead_id: string };
  isNew: boolean;
  /** The fields that the rows change. */
  changedFields: Set<string>;
}

type DraftIndex = { byLeadId: Map<string, LeadDraft>; byEmail: Map<string, LeadDraft> };

const indexDraft = ({ byLeadId, byEmail }: DraftIndex, draft: LeadDraft): void => {
  const { lead_id, email, status } = draft.lead;
  byLeadId.set(lead_id, draft);
  if (typeof email === 'string' && status !== LEAD_STATUS.deleted && !byEmail.has(email)) byEmail.set(email, draft);
};

/**
 * Reads the leads that the rows refer to: first those that rows name by email, then those that rows name by `lead_id`,
 * each time the oldest first. `indexDraft` keeps the first lead with an email, so an email refers to the oldest lead
 * that has it, even if another row names a newer lead with this email by its `lead_id`.
 */
const findDrafts = async (id_project: string, rows: ImportRow[], session: ClientSession): Promise<DraftIndex> => {
  const lead_ids = rows.flatMap(({ values }) => values.lead_id ?? []);
  const emails = rows.flatMap(({ values }) => (values.lead_id ? [] : (values.email ?? [])));
  const drafts: DraftIndex = { byLeadId: new Map(), byEmail: new Map() };
  const notDeleted = { $ne: LEAD_STATUS.deleted };
  for (const filter of [{ email: { $in: emails }, status: notDeleted }, { lead_id: { $in: lead_ids } }]) {
    const found = await Lead.find({ id_project, ...filter }, LEAD_FIELDS, { session })
      .sort({ createdAt: 1, _id: 1 })
      .lean();
    for (const lead of found)
      if (!drafts.byLeadId.has(lead.lead_id)) indexDraft(drafts, { lead, isNew: false, changedFields: new Set() });
  }
  return drafts;
};

/** Finds the lead of a row by its `lead_id`, otherwise by its email. A row with neither creates a lead. */
const draftOf = ({ byLeadId, byEmail }: DraftIndex, { lead_id, email }: RowValues): LeadDraft | undefined =>
  lead_id === undefined ? byEmail.get(email ?? '') : byLeadId.get(lead_id);

const newDraft = ({ values, ids }: ImportRow): LeadDraft => {
  const lead = { ...ids, status: LEAD_STATUS.normal, tags: [] };
  return { lead: values.lead_id ? { ...lead, lead_id: values.lead_id } : lead, isNew: true, changedFields: new Set() };
};

/** Returns the fields that a row changes. Keys of free-form objects are merged, and a deleted lead is restored. */
const changesOf = ({ lead }: LeadDraft, values: RowValues): [string, unknown][] => {
  const restored = lead.status === LEAD_STATUS.deleted ? { status: LEAD_STATUS.normal } : {};
  const free = (name: 'attributes' | 'properties') =>
    values[name] && { [name]: { ...(lead[name] as object | undefined), ...values[name] } };
  const newValues = { ...restored, ...values, ...free('attributes'), ...free('properties') };
  return Object.entries(newValues).filter(([field, value]) => !isDeepStrictEqual(lead[field], value));
};

const findFault = ({ lead }: LeadDraft, changes: [string, unknown][]): RowFault | undefined => {
  if (lead.merged_into) return { column: 'lead_id', reason: 'has been merged into another lead', value: lead.lead_id };
  const oversized = changes.find(
    ([field, value]) => /^(attr|prop)/.test(field) && !FreeObject.safeParse(value).success,
  );
  return oversized && { column: oversized[0], reason: 'would exceed its size limit' };
};

/** Applies a row to its lead. */
const applyRow = (drafts: DraftIndex, row: ImportRow, result: UpsertResult): void => {
  const draft = draftOf(drafts, row.values) ?? newDraft(row);
  const changes = changesOf(draft, row.values);
  const fault = findFault(draft, changes);
  if (fault) {
    result.faults.push({ line: row.line, ...fault });
    return;
  }
  const isKnown = drafts.byLeadId.get(draft.lead.lead_id) === draft;
  result[isKnown ? (changes.length ? 'updated' : 'unchanged') : 'created'] += 1;
  for (const [field, value] of changes) {
    draft.lead[field] = value;
    draft.changedFields.add(field);
  }
  indexDraft(drafts, draft);
};

const EVENT_FIELDS = ['fullname', 'email'];

/** Emails in an import are trusted, because a teammate or program has uploaded the file. */
const trustedEmailOf = ({ lead, changedFields }: LeadDraft) =>
  changedFields.has('email') ? { trusted_email: lead.email } : {};

const insertLeads = async (
  own: { id_project: string; createdBy: string },
  drafts: LeadDraft[],
  session: ClientSession,
) => {
  const inserts = drafts.map((draft) => ({
    insertOne: { document: { ...draft.lead, ...trustedEmailOf(draft), ...own, __v: 0 } },
  }));
  if (inserts.length) await Lead.bulkWrite(inserts as never, { session, ...emits('lead.create') });
};

const updateLeads = async (id_project: string, drafts: LeadDraft[], session: ClientSession): Promise<void> => {
  const changedNames = ({ changedFields }: LeadDraft): string =>
    EVENT_FIELDS.filter((name) => changedFields.has(name)).join();
  for (const [names, group] of Map.groupBy(drafts, changedNames)) {
    const writes = group.map((draft) => ({
      updateOne: {
        filter: { _id: draft.lead._id, id_project },
        update: {
          $set: {
            ...Object.fromEntries([...draft.changedFields].map((field) => [field, draft.lead[field]])),
            ...trustedEmailOf(draft),
          },
        },
      },
    }));
    await Lead.bulkWrite(writes as never, { session, ...leadUpdatedEvents(names.split(',')) });
  }
};

/**
 * Creates or updates the leads of the given rows within a transaction. Several rows for one lead result in one write. A
 * `dry` run returns the same result without writing.
 */
export const upsertLeads = async (
  { id_project, createdBy, dry }: { id_project: string; createdBy: string; dry: boolean },
  rows: ImportRow[],
  session: ClientSession,
): Promise<UpsertResult> => {
  const drafts = await findDrafts(id_project, rows, session);
  const result: UpsertResult = { created: 0, updated: 0, unchanged: 0, faults: [] };
  for (const row of rows) applyRow(drafts, row, result);
  const touched = [...drafts.byLeadId.values()].filter(({ changedFields, isNew }) => isNew || changedFields.size);
  if (dry) return result;
  const [newDrafts, changedDrafts] = [touched.filter(({ isNew }) => isNew), touched.filter(({ isNew }) => !isNew)];
  await insertLeads({ id_project, createdBy }, newDrafts, session);
  await updateLeads(id_project, changedDrafts, session);
  return result;
};
