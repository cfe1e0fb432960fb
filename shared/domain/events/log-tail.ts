/**
 * The newest entries of the changes log, in memory. All listeners of a process read them from here, so that a process
 * reads each entry once.
 */
import { batchCalls } from '../../concurrency/batch-calls.ts';
import type { CurrentActor } from '../../context.ts';
import { Change } from '../../models/change.ts';
import { OLDEST_CURSOR } from './cursors.ts';

/** Maximum number of entries that are read together and kept. */
const MAX_ENTRIES = 500;
/** The payload of an entry is kept if it has at most this many bytes. Larger payloads are read when needed. */
const MAX_PAYLOAD_BYTES = 64_000;
/** Entries are dropped this long after they were read. */
const MAX_AGE_MS = 10_000;

/** An entry in memory. */
export interface TailEntry {
  _id: string;
  id_project: string;
  event: string;
  record?: string;
  position: string;
  /** The `request_id` of the conversation that the event concerns. */
  conversation?: string | null;
  /** Absent if the payload is large. */
  payload?: Record<string, unknown>;
  context?: Record<string, unknown>;
  actor?: CurrentActor;
  createdAt: Date;
}

/** The expression for `conversation` in a projection. */
export const CONVERSATION_OF_EVENT = { $ifNull: ['$payload.request_id', '$payload.request.request_id'] };

const ENTRY_FIELDS: Record<string, unknown> = {
  ...{ id_project: 1, event: 1, record: 1, position: 1, context: 1, actor: 1, createdAt: 1 },
  conversation: CONVERSATION_OF_EVENT,
  payload: { $cond: [{ $lte: [{ $bsonSize: '$payload' }, MAX_PAYLOAD_BYTES] }, '$payload', '$$REMOVE'] },
};

/** The tail in memory: every entry of the log after `start` up to `end`. The map is keyed by id and in log order. */
interface Tail {
  /** The database of the entries. */
  database: string;
  start: string;
  end: string;
  entries: Map<string, { entry: TailEntry; readAt: number }>;
}

let tail: Tail | undefined;

const currentTail = (): Tail | undefined => (tail?.database === Change.db.name ? tail : undefined);

/**
 * Returns the position of the last entry of the log. It does not move back when the last entries are deleted with their
 * project, because memory may still hold them.
 */
export const endOfLog = async (): Promise<string> => {
  const last = await Change.findOne({}, { position: 1 }, { anyProject: true }).sort({ position: -1 }).lean();
  const [stored, inMemory] = [last?.position ?? OLDEST_CURSOR, currentTail()?.end ?? OLDEST_CURSOR];
  return stored > inMemory ? stored : inMemory;
};

const readAfter = (position: string): Promise<TailEntry[]> =>
  Change.find({ position: { $gt: position } }, ENTRY_FIELDS, { anyProject: true })
    .sort({ position: 1 })
    .limit(MAX_ENTRIES)
    .lean<TailEntry[]>();

/** Returns the tail without its oldest entries that exceed the maximum age or number. */
const dropOldest = (current: Tail): Tail => {
  const entries = new Map(current.entries); // callers may still read the previous entries
  let { start } = current;
  const expired = performance.now() - MAX_AGE_MS;
  for (const [id, { entry, readAt }] of entries) {
    if (entries.size <= MAX_ENTRIES && readAt > expired) break;
    start = entry.position;
    entries.delete(id);
  }
  return { ...current, start, entries };
};

/** Reads the entries after the tail. If there are too many, drops all entries and begins at the end of the log. */
const extend = async (): Promise<Tail> => {
  const current = currentTail();
  const added = current ? await readAfter(current.end) : [];
  if (!current || added.length === MAX_ENTRIES) {
    const end = await endOfLog();
    tail = { database: Change.db.name, start: end, end, entries: new Map() };
    return tail;
  }
  const readAt = performance.now();
  for (const entry of added) current.entries.set(entry._id, { entry, readAt });
  tail = dropOldest({ ...current, end: added.at(-1)?.position ?? current.end });
  return tail;
};

let lastRead: Promise<unknown> = Promise.resolve();

/** Extends the tail once for all calls that are made at the same time. Reads never overlap. */
const extendTail = batchCalls<void, Tail>(async (calls) => {
  const read = lastRead.then(extend, extend);
  lastRead = read;
  const extended = await read;
  return calls.map(() => extended);
});

/** Returns every entry after `start` up to the current end of the log, in log order. */
export const readTail = async (): Promise<{ start: string; entries: TailEntry[] }> => {
  const { start, entries } = await extendTail();
  return { start, entries: [...entries.values()].map(({ entry }) => entry) };
};

/** Returns an entry if memory holds it with its payload. */
export const recentEntry = (id: string): TailEntry | undefined => {
  const entry = tail?.entries.get(id)?.entry;
  return entry?.payload && entry;
};
