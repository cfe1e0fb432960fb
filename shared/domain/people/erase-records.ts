/** Deletes and redacts the records that contain data of a person, as `personalData` declares. */
import { inTransaction } from '../../database/connection.ts';
import {
  deleteDocuments,
  overwriteFields,
  retryWhileChanged,
  type WholeDocument,
} from '../../database/whole-documents.ts';
import { Project } from '../../models/project.ts';
import { recordAccessChange } from '../access/access-changes.ts';
import { BEFORE_DELETION } from './before-deletion.ts';
import { createDecision, type ErasureOptions } from './decide-outcome.ts';
import { type PersonalCollection, searchRecords } from './search-records.ts';

/** What was done with the records of one collection, or with other data. */
export interface ErasureCounts {
  deleted: number;
  redacted: number;
  /** Number of records that the team has written and that contain data of the person. They are not changed. */
  reported: number;
  /** The ids of the first 20 reported records. */
  ids: string[];
}

const RECORDS_PER_BATCH = 500;
const MAX_REPORTED_IDS = 20;

const deleteRecords = async ({ model }: PersonalCollection, records: WholeDocument[]): Promise<void> => {
  await BEFORE_DELETION[model.modelName]?.(records);
  await deleteDocuments(
    model,
    records.map(({ _id }) => _id),
  );
};

/**
 * Overwrites fields of a record. Returns false if another process has changed the record since it was read. If the
 * record is a project, every process removes the project from its cache, which may contain the old values.
 */
const redactRecord = async (
  { model }: PersonalCollection,
  record: WholeDocument,
  changes: Record<string, unknown>,
): Promise<boolean> =>
  inTransaction(async (session) => {
    const isOverwritten = await overwriteFields(model, { document: record, changes }, session);
    if (isOverwritten && model.modelName === Project.modelName)
      await recordAccessChange({ project: String(record._id) }, session);
    return isOverwritten;
  });

/** Decides what is done with a record, and redacts it if that is the decision. */
const decideAndRedact = async (
  each: PersonalCollection,
  found: WholeDocument,
  { decide, dryRun }: { decide: ReturnType<typeof createDecision>; dryRun: boolean },
) => {
  const outcome = await retryWhileChanged(each.model, found, async (record) => {
    const decision = decide(record);
    const isRedacted = decision.outcome === 'redacted' && !dryRun;
    if (isRedacted && !(await redactRecord(each, record, decision.changes ?? {}))) return undefined;
    return decision.outcome;
  });
  return outcome ?? 'none';
};

/** Erases a person from one collection. In a dry run, only counts. */
export const eraseRecords = async (each: PersonalCollection, options: ErasureOptions): Promise<ErasureCounts> => {
  const counts: ErasureCounts = { deleted: 0, redacted: 0, reported: 0, ids: [] };
  const decide = createDecision(each, options);
  let pending: WholeDocument[] = [];
  const deletePending = async (): Promise<void> => {
    if (!options.dryRun && pending.length) await deleteRecords(each, pending);
    pending = [];
  };
  for await (const record of searchRecords(each, options.person)) {
    const outcome = await decideAndRedact(each, record, { decide, dryRun: options.dryRun });
    if (outcome === 'none') continue;
    counts[outcome] += 1;
    if (outcome === 'reported' && counts.ids.length < MAX_REPORTED_IDS) counts.ids.push(String(record._id));
    if (outcome === 'deleted') pending.push(record);
    if (pending.length >= RECORDS_PER_BATCH) await deletePending();
  }
  await deletePending();
  return counts;
};
