/**
 * Counters of conversations by status, department and whether the conversation has a bot, is in preflight or tests a
 * draft of a bot. They exist because counting a million conversations takes a second. A change to one of these fields
 * adds rows to the counters in the same transaction, and a job compacts the rows.
 */
import { type ClientSession, Types } from 'mongoose';
import { inSnapshot, inTransaction } from '../../database/connection.ts';
import { insertRecord } from '../../database/raw-write.ts';
import { Conversation } from '../../models/conversation.ts';
import { ConversationCounter } from '../../models/conversation-counter.ts';

/** The fields that determine the counter of a conversation. */
interface CountedConversation {
  id_project: string;
  status: number;
  hasBot?: boolean;
  preflight?: boolean;
  draft?: boolean | null;
  department?: string | null;
}

type CounterKey = Omit<CountedConversation, 'id_project'>;
type CounterSum = { _id: CounterKey; count: number };

/** Maximum number of rows compacted in one transaction. */
const COMPACT_BATCH_SIZE = 10_000;

const counterKeyOf = ({
  status,
  hasBot = false,
  preflight = false,
  draft,
  department,
}: CountedConversation): CounterKey => ({
  status,
  hasBot,
  preflight,
  draft: draft === true,
  department: department ?? undefined,
});

const counterName = ({ status, hasBot, preflight, draft, department }: CounterKey): string =>
  [status, hasBot, preflight, draft === true, department ?? ''].join(' ');

const addRow = (conversation: CountedConversation, count: number, session: ClientSession) => {
  const row = {
    _id: new Types.ObjectId(),
    id_project: conversation.id_project,
    ...counterKeyOf(conversation),
    count,
    uncompacted: true,
  };
  return insertRecord(ConversationCounter, row, { session });
};

/**
 * Updates the counters when a conversation changes. `before` is null for a new conversation. `after` is null for a
 * deleted conversation.
 */
export const countChange = async (
  before: CountedConversation | null,
  after: CountedConversation | null,
  session: ClientSession,
): Promise<void> => {
  if (before && after && counterName(counterKeyOf(before)) === counterName(counterKeyOf(after))) return;
  if (before) await addRow(before, -1, session);
  if (after) await addRow(after, 1, session);
};

/** A filter on the fields that distinguish the counters. */
interface CounterFilter {
  id_project: string;
  status?: object;
  hasBot?: boolean;
  preflight?: boolean | object;
  draft?: boolean | object;
  department?: string;
}

const GROUP_KEY = {
  status: '$status',
  hasBot: '$hasBot',
  preflight: '$preflight',
  draft: '$draft',
  department: '$department',
};

const COUNTED_FIELDS = new Set(['id_project', 'status', 'hasBot', 'preflight', 'draft', 'department']);

/** Whether the conversations that match a filter can be counted with the counters. */
export const canCount = (filter: object & { id_project: string }): filter is CounterFilter =>
  Object.keys(filter).every((field) => COUNTED_FIELDS.has(field));

/** Counts the conversations that match a filter, by status and by whether a bot participates. */
export const countsByStatus = async (
  filter: CounterFilter,
): Promise<{ status: number; hasBot: boolean; count: number }[]> => {
  const groupKey = { status: '$status', hasBot: '$hasBot' };
  const sums = await ConversationCounter.aggregate<{ _id: { status: number; hasBot: boolean }; count: number }>([
    { $match: filter },
    { $group: { _id: groupKey, count: { $sum: '$count' } } },
  ]).option({ readConcern: { level: 'snapshot' } }); // a sum must not mix rows from before and after a compaction
  return sums.map(({ _id, count }) => ({ ..._id, count }));
};

/** Counts the conversations that match a filter. */
export const count = async (filter: CounterFilter): Promise<number> =>
  (await countsByStatus(filter)).reduce((sum, { count }) => sum + count, 0);

const sumsOf = (rows: (CountedConversation & { count: number })[]): CounterSum[] => {
  const sums = new Map<string, CounterSum>();
  for (const { count, ...row } of rows) {
    const key = counterKeyOf(row);
    const sum = sums.get(counterName(key)) ?? { _id: key, count: 0 };
    sums.set(counterName(key), { ...sum, count: sum.count + count });
  }
  return [...sums.values()].filter(({ count }) => count);
};

const compactBatch = (id_project: string): Promise<number> =>
  inTransaction(async (session) => {
    const rows = await ConversationCounter.find({ id_project, uncompacted: true })
      .limit(COMPACT_BATCH_SIZE)
      .session(session)
      .lean();
    if (!rows.length) return 0;
    await ConversationCounter.deleteMany({ id_project, _id: { $in: rows.map(({ _id }) => _id) } }, { session });
    const added = sumsOf(rows).map(({ _id: { department = null, ...key }, count }) => ({
      updateOne: {
        filter: { id_project, ...key, department, uncompacted: null },
        update: { $inc: { count } },
        upsert: true,
      },
    }));
    if (added.length) await ConversationCounter.bulkWrite(added, { session });
    return rows.length;
  });

/** Compacts the counter rows of every project into one row per counter. Returns the number of compacted rows. */
export const compact = async (): Promise<number> => {
  const anyProject = { anyProject: true };
  const projects = await ConversationCounter.distinct('id_project', { uncompacted: true }).setOptions(anyProject);
  let compacted = 0;
  for (const id_project of projects)
    for (let rows = COMPACT_BATCH_SIZE; rows === COMPACT_BATCH_SIZE; compacted += rows)
      rows = await compactBatch(id_project);
  return compacted;
};

const countStored = (id_project: string, session: ClientSession): Promise<CounterSum[]> =>
  Conversation.aggregate<CounterSum>([
    { $match: { id_project } },
    { $group: { _id: { ...GROUP_KEY, draft: { $eq: ['$draft', true] } }, count: { $sum: 1 } } },
  ]).session(session);

const sumCounters = (id_project: string, session: ClientSession): Promise<CounterSum[]> =>
  ConversationCounter.aggregate<CounterSum>([
    { $match: { id_project } },
    { $group: { _id: GROUP_KEY, count: { $sum: '$count' } } },
  ]).session(session);

/**
 * Recounts the conversations of a project and corrects its counters. Returns the number of counters that were wrong.
 * May run during normal operation.
 */
export const rebuild = async (id_project: string): Promise<number> => {
  const [actual, recorded] = await inSnapshot(async (session) => [
    await countStored(id_project, session),
    await sumCounters(id_project, session),
  ]);
  const missing = sumsOf([
    ...actual.map(({ _id, count }) => ({ ..._id, id_project, count })),
    ...recorded.map(({ _id, count }) => ({ ..._id, id_project, count: -count })),
  ]);
  await ConversationCounter.insertMany(
    missing.map(({ _id, count }) => ({ id_project, ..._id, count, uncompacted: true })),
  );
  return missing.length;
};
