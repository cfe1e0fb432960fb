/**
 * Maintains the contributions of records to the rollups: compares each record with its last contribution and applies
 * the difference to the contribution and the rollups in one transaction.
 */
import type { ClientSession } from 'mongoose';
import { inTransaction } from '../../database/connection.ts';
import { type DocumentWrite, readDocuments, writeDocuments } from '../../database/raw-documents.ts';
import { AnalyticsContribution } from '../../models/analytics-contribution.ts';
import { type CountedRecord, type RecordIds, readCounted } from './read-facts.ts';
import { RowChanges } from './row-changes.ts';
import type { Facts, Subject } from './series.ts';

/** What a record last added to the rollups. */
export interface Contribution {
  _id: string;
  id_project: string;
  subject: Subject;
  conversation?: string;
  createdAt: Date;
  facts: Facts;
  /** Set while the messages of a conversation must be counted again, because its department has changed. */
  recountMessages?: boolean;
  expiresAt?: Date;
}

/** A conversation whose messages must be counted again. */
export interface ConversationRef {
  id_project: string;
  conversation: string;
}

/**
 * The number of records that differed from their contributions, and the conversations whose messages must be counted
 * again.
 */
export interface CountResult {
  changed: number;
  recount: ConversationRef[];
}

interface Difference {
  before?: Contribution;
  after?: CountedRecord;
}

const contributionOf = (subject: Subject, record: CountedRecord, recountMessages: boolean): Contribution => {
  const { id, id_project, conversation, facts, expiresAt } = record;
  return {
    ...{ _id: id, id_project, subject, createdAt: facts.createdAt, facts },
    ...(conversation !== undefined && { conversation }),
    ...(recountMessages && { recountMessages }),
    ...(expiresAt && { expiresAt }),
  };
};

const hasSameFacts = ({ before, after }: Difference): boolean =>
  JSON.stringify(before?.facts ?? null) === JSON.stringify(after?.facts ?? null);

const readContributions = (
  filter: { id_project: unknown; [field: string]: unknown },
  session: ClientSession,
): Promise<Contribution[]> => readDocuments<Contribution>(AnalyticsContribution, filter, { session }).toArray();

const compare = async (
  subject: Subject,
  records: RecordIds,
  session: ClientSession,
): Promise<{ differences: Difference[]; contributions: Contribution[] }> => {
  const filter = { id_project: { $in: records.projects }, _id: { $in: records.ids }, subject };
  const contributions = await readContributions(filter, session);
  const counted = await readCounted[subject](records, session);
  const [before, after] = [
    new Map(contributions.map((each) => [each._id, each])),
    new Map(counted.map((each) => [each.id, each])),
  ];
  const ids = [...new Set([...before.keys(), ...after.keys()])];
  const differences = ids
    .map((id) => ({ before: before.get(id), after: after.get(id) }))
    .filter((each) => !hasSameFacts(each));
  return { differences, contributions };
};

/**
 * Returns the departments in which the messages of these conversations are counted. Needed only for conversations
 * without a contribution, because a contribution contains the department.
 */
const countedMessageDepartments = async (records: CountedRecord[], session: ClientSession) => {
  const counted = new Map<string, Set<string | undefined>>();
  if (!records.length) return counted;
  const filter = {
    id_project: { $in: records.map(({ id_project }) => id_project) },
    conversation: { $in: records.map(({ conversation }) => conversation) },
    subject: 'messages',
  };
  for (const { id_project, conversation, facts } of await readContributions(filter, session)) {
    const key = `${id_project} ${conversation}`;
    counted.set(key, (counted.get(key) ?? new Set()).add(facts.department));
  }
  return counted;
};

/**
 * Returns a function that returns whether the messages of a changed conversation are counted in a department other
 * than that of the conversation.
 */
const departmentChanges = async (differences: Difference[], session: ClientSession) => {
  const added = differences.flatMap(({ before, after }) => (before || !after ? [] : [after]));
  const departments = await countedMessageDepartments(added, session);
  return ({ before, after }: Difference): boolean => {
    if (!after) return false;
    if (before) return before.recountMessages === true || before.facts.department !== after.facts.department;
    const counted = departments.get(`${after.id_project} ${after.conversation}`) ?? new Set();
    return [...counted].some((department) => department !== after.facts.department);
  };
};

/** Replaces contributions that differ from their records, corrects the rollups, and returns the new contributions. */
const store = async (subject: Subject, differences: Difference[], session: ClientSession): Promise<Contribution[]> => {
  const isRecountDue = subject === 'requests' ? await departmentChanges(differences, session) : () => false;
  const changes = new RowChanges();
  const writes = differences.map((difference): DocumentWrite<Contribution> => {
    const { before, after } = difference;
    if (before) changes.add(before.id_project, { subject, facts: before.facts, sign: -1 });
    if (after) changes.add(after.id_project, { subject, facts: after.facts });
    const document = after ? contributionOf(subject, after, isRecountDue(difference)) : null;
    const { id_project, _id } = document ?? (before as Contribution);
    return { id_project, _id, document, exists: before !== undefined };
  });
  await writeDocuments(AnalyticsContribution, writes, session);
  await changes.apply(session);
  return writes.flatMap(({ document }) => document ?? []);
};

/**
 * Updates the contributions of records and the rollups: adds new records, corrects changed ones and subtracts deleted
 * ones. Idempotent. With `dryRun`, only compares.
 */
export const updateContributions = (
  subject: Subject,
  records: RecordIds,
  { dryRun = false }: { dryRun?: boolean } = {},
): Promise<CountResult> =>
  inTransaction(async (session) => {
    const { differences, contributions } = await compare(subject, records, session);
    const stored = differences.length && !dryRun ? await store(subject, differences, session) : [];
    const due = [...stored, ...contributions].filter(({ recountMessages }) => recountMessages);
    return { changed: differences.length, recount: toRefs(due) };
  });

const toRefs = (contributions: Contribution[]): ConversationRef[] => {
  const refs = contributions.flatMap(({ _id, id_project, conversation }) =>
    conversation === undefined ? [] : ([[_id, { id_project, conversation }]] as const),
  );
  return [...new Map(refs).values()];
};

/** Removes `recountMessages` from the contribution of a conversation, because its messages have been counted again. */
export const clearRecount = async ({ id_project, conversation }: ConversationRef): Promise<void> => {
  const filter = { id_project, conversation, subject: 'requests' };
  await AnalyticsContribution.updateMany(filter, { $unset: { recountMessages: 1 } });
};
