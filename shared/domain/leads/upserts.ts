/** Rows of a file → leads: what is there already is changed, the rest is made. */
import { isDeepStrictEqual } from 'node:util';
import type { ClientSession } from 'mongoose';
import { emits } from '../../emits.ts';
import { LEAD, Lead } from '../../models/lead.ts';
import { FreeObject } from '../../view.ts';
import { FIELDS } from '../conversations/leads.ts';
import type { Fault, Told } from './import-rows.ts';
import { updated } from './told.ts';

/** A row that says something, and the ids of the lead that it makes if there is none yet. */
export interface Wanted {
  line: number;
  told: Told;
  ids: { _id: string; lead_id: string };
}

/** What rows come to. */
export interface Outcome {
  created: number;
  updated: number;
  unchanged: number;
  faults: (Fault & { line: number })[];
}

interface Draft {
  lead: Record<string, unknown> & { _id: unknown; lead_id: string };
  isNew: boolean;
  /** The fields that it is given. */
  given: Set<string>;
}

type Drafts = { byLeadId: Map<string, Draft>; byEmail: Map<string, Draft> };

const keep = ({ byLeadId, byEmail }: Drafts, draft: Draft): void => {
  const { lead_id, email, status } = draft.lead;
  byLeadId.set(lead_id, draft);
  if (typeof email === 'string' && status !== LEAD.deleted && !byEmail.has(email)) byEmail.set(email, draft);
};

/** The leads that the rows are about, the oldest of each e-mail first. */
const known = async (id_project: string, rows: Wanted[], session: ClientSession): Promise<Drafts> => {
  const lead_ids = rows.flatMap(({ told }) => told.lead_id ?? []);
  const emails = rows.flatMap(({ told }) => (told.lead_id ? [] : (told.email ?? [])));
  const drafts: Drafts = { byLeadId: new Map(), byEmail: new Map() };
  const use = { $ne: LEAD.deleted };
  for (const which of [{ lead_id: { $in: lead_ids } }, { email: { $in: emails }, status: use }]) {
    const found = await Lead.find({ id_project, ...which }, FIELDS, { session })
      .sort({ createdAt: 1, _id: 1 })
      .lean();
    for (const lead of found)
      if (!drafts.byLeadId.has(lead.lead_id)) keep(drafts, { lead, isNew: false, given: new Set() });
  }
  return drafts;
};

/** A lead is found by its `lead_id` where the row has one, else by its e-mail; a row with neither is somebody new. */
const draftOf = ({ byLeadId, byEmail }: Drafts, { lead_id, email }: Told): Draft | undefined =>
  lead_id === undefined ? byEmail.get(email ?? '') : byLeadId.get(lead_id);

const somebody = ({ told, ids }: Wanted): Draft => {
  const lead = { ...ids, status: LEAD.normal, tags: [] };
  return { lead: told.lead_id ? { ...lead, lead_id: told.lead_id } : lead, isNew: true, given: new Set() };
};

/** What the row makes of the lead: keys of free objects stand beside those there are, and whoever was deleted is back. */
const changesOf = ({ lead }: Draft, told: Told): [string, unknown][] => {
  const back = lead.status === LEAD.deleted ? { status: LEAD.normal } : {};
  const free = (name: 'attributes' | 'properties') =>
    told[name] && { [name]: { ...(lead[name] as object | undefined), ...told[name] } };
  const all = { ...back, ...told, ...free('attributes'), ...free('properties') };
  return Object.entries(all).filter(([field, value]) => !isDeepStrictEqual(lead[field], value));
};

const faultOf = ({ lead }: Draft, changes: [string, unknown][]): Fault | undefined => {
  if (lead.merged_into) return { column: 'lead_id', reason: 'Was merged into another lead', value: lead.lead_id };
  const large = changes.find(([field, value]) => /^(attr|prop)/.test(field) && !FreeObject.safeParse(value).success);
  return large && { column: large[0], reason: 'Would grow too large' };
};

/** Lay a row over its lead. */
const apply = (drafts: Drafts, row: Wanted, outcome: Outcome): void => {
  const draft = draftOf(drafts, row.told) ?? somebody(row);
  const changes = changesOf(draft, row.told);
  const fault = faultOf(draft, changes);
  if (fault) {
    outcome.faults.push({ line: row.line, ...fault });
    return;
  }
  const isKnown = drafts.byLeadId.get(draft.lead.lead_id) === draft;
  outcome[isKnown ? (changes.length ? 'updated' : 'unchanged') : 'created'] += 1;
  for (const [field, value] of changes) {
    draft.lead[field] = value;
    draft.given.add(field);
  }
  keep(drafts, draft);
};

const NAMES = ['fullname', 'email'];

/** A file comes from a teammate or a program: the e-mails in it are trusted. */
const trustIn = ({ lead, given }: Draft) => (given.has('email') ? { trusted_email: lead.email } : {});

const make = async (own: { id_project: string; createdBy: string }, drafts: Draft[], session: ClientSession) => {
  const made = drafts.map((draft) => ({
    insertOne: { document: { ...draft.lead, ...trustIn(draft), ...own, __v: 0 } },
  }));
  if (made.length) await Lead.bulkWrite(made as never, { session, ...emits('lead.create') });
};

const change = async (id_project: string, drafts: Draft[], session: ClientSession): Promise<void> => {
  const namesOf = ({ given }: Draft): string => NAMES.filter((name) => given.has(name)).join();
  for (const [names, alike] of Map.groupBy(drafts, namesOf)) {
    const writes = alike.map((draft) => ({
      updateOne: {
        filter: { _id: draft.lead._id, id_project },
        update: {
          $set: {
            ...Object.fromEntries([...draft.given].map((field) => [field, draft.lead[field]])),
            ...trustIn(draft),
          },
        },
      },
    }));
    await Lead.bulkWrite(writes as never, { session, ...updated(names.split(',')) });
  }
};

/** Store what rows say, within a transaction; in a `dry` run nothing, but told is the same. Rows on one lead are one change of it. */
export const upsert = async (
  { id_project, createdBy, dry }: { id_project: string; createdBy: string; dry: boolean },
  rows: Wanted[],
  session: ClientSession,
): Promise<Outcome> => {
  const drafts = await known(id_project, rows, session);
  const outcome: Outcome = { created: 0, updated: 0, unchanged: 0, faults: [] };
  for (const row of rows) apply(drafts, row, outcome);
  const touched = [...drafts.byLeadId.values()].filter(({ given, isNew }) => isNew || given.size);
  if (dry) return outcome;
  const [fresh, changed] = [touched.filter(({ isNew }) => isNew), touched.filter(({ isNew }) => !isNew)];
  await make({ id_project, createdBy }, fresh, session);
  await change(id_project, changed, session);
  return outcome;
};
