/**
 * Listeners: jobs that run for events. Each listener has a cursor in the changes log. The queued job is only a wake-up,
 * so that no event is lost if Redis loses its data. A replay moves the cursor back.
 */
import { AppError, notFound } from '../../errors.ts';
import type { EventRef } from '../../job-definitions.ts';
import { jobs } from '../../jobs.ts';
import { Change } from '../../models/change.ts';
import { ListenerCursor } from '../../models/listener-cursor.ts';
import { enqueue } from '../../queue/queue.ts';
import { CONVERSATION_OF_EVENT, endOfLog, readTail, type TailEntry } from './log-tail.ts';
import { batchCalls } from '../../concurrency/batch-calls.ts';

/**
 * Maximum number of events read in a batch. It is large because a batch does not handle most events of a busy project,
 * but defers them, which takes little time.
 */
const MAX_EVENTS_READ = 500;

/** A listener, the events it consumes (`name.*` matches a prefix) and its maximum number of attempts per event. */
export interface ListenerDefinition {
  name: string;
  on: readonly string[];
  attempts: number;
  /** Whether the listener handles whole batches instead of single events. */
  isBatch?: boolean;
  /** How long a wake-up is delayed, in milliseconds, so that the listener handles more events together. */
  gatherMs?: number;
}

/**
 * An event with its ordering key: that of its conversation or, without one, of its record. A listener handles the
 * events with one key in order, except those behind an event that keeps failing (`blocksKey`).
 */
export interface OrderedEvent extends EventRef {
  orderingKey: string;
}

/** The listeners that the job registry defines. */
export const listeners: readonly ListenerDefinition[] = Object.entries(jobs).flatMap(([name, job]) =>
  'on' in job ? [{ name, ...(job as Omit<ListenerDefinition, 'name'>) }] : [],
);

/** Converts an event name of the registry to a filter; `event.emit.*` matches every name with that prefix. */
const eventPattern = (name: string) =>
  name.endsWith('*') ? new RegExp(`^${name.slice(0, -1).replaceAll('.', '\\.')}`) : name;
const listensTo = ({ on }: ListenerDefinition, event: string): boolean =>
  on.some((name) => (name.endsWith('*') ? event.startsWith(name.slice(0, -1)) : name === event));

const eventsAfter = ({ on }: ListenerDefinition, cursor: string) => ({
  event: { $in: on.map(eventPattern) },
  position: { $gt: cursor },
});

/**
 * Stores a cursor at the end of the log for each new listener. A new listener receives earlier events only through a
 * replay. Must be called whenever a worker starts.
 */
export const initCursors = async (definitions = listeners): Promise<void> => {
  const known = await ListenerCursor.distinct('_id');
  const names = definitions.map(({ name }) => name).filter((name) => !known.includes(name));
  if (!names.length) return;
  const cursor = await endOfLog();
  for (const name of names)
    await ListenerCursor.updateOne({ _id: name }, { $setOnInsert: { cursor } }, { upsert: true });
};

const readCursors = async (names: string[]): Promise<Map<string, string>> => {
  const found = await ListenerCursor.find({ _id: { $in: names } }, { cursor: 1 }).lean();
  return new Map(found.map(({ _id, cursor }) => [_id, cursor]));
};

const readCursor = batchCalls(async (names: string[]) => {
  const cursors = await readCursors(names);
  return names.map((name) => cursors.get(name));
});

/** Returns the cursor of a listener; the end of the log if the listener has none. */
export const cursorOf = async (name: string): Promise<string> => (await readCursor(name)) ?? endOfLog();

const EVENT_FIELDS = {
  ...{ id_project: 1, event: 1, record: 1, position: 1, createdAt: 1 },
  conversation: CONVERSATION_OF_EVENT,
} as const;

/** The fields of a log entry that listeners need. */
type LogEntry = Omit<TailEntry, 'payload' | 'context' | 'actor'>;

const toOrderedEvent = ({ _id, conversation, ...entry }: LogEntry): OrderedEvent => {
  const { id_project, event, record = id_project, position } = entry;
  return {
    id_project,
    event,
    id: _id,
    record,
    position,
    orderingKey: conversation ? `${id_project} ${conversation}` : record,
  };
};

/** Reads an event from the changes log; null if it is no longer kept. */
export const findEvent = async (id_project: string, _id: string): Promise<OrderedEvent | null> => {
  const entry = await Change.findOne({ id_project, _id }, EVENT_FIELDS).lean<LogEntry>();
  return entry && toOrderedEvent(entry);
};

/** Unread events of a listener, in log order. */
export interface EventBatch {
  events: OrderedEvent[];
  /** The time between the first and the last event, in seconds. */
  durationSeconds: number;
  /** Whether more events may follow. */
  isFull: boolean;
}

const secondsBetween = (first?: LogEntry, last?: LogEntry): number =>
  first && last ? (last.createdAt.getTime() - first.createdAt.getTime()) / 1000 : 0;

const toBatch = (entries: LogEntry[]): EventBatch => ({
  events: entries.map(toOrderedEvent),
  durationSeconds: secondsBetween(entries[0], entries.at(-1)),
  isFull: entries.length === MAX_EVENTS_READ,
});

/**
 * Reads the next batch of events from the log, up to the end of the log as read beforehand. Without that bound, a query
 * that merges the index ranges of several event names could return a later event of one name and miss an earlier event
 * of another name that is just being written.
 */
const readFromLog = async (listener: ListenerDefinition, cursor: string): Promise<LogEntry[]> => {
  const { event, position } = eventsAfter(listener, cursor);
  const filter = { event, position: { ...position, $lte: await endOfLog() } };
  return Change.find(filter, EVENT_FIELDS, { anyProject: true })
    .sort({ position: 1 })
    .limit(MAX_EVENTS_READ)
    .lean<LogEntry[]>();
};

/**
 * Returns the next batch of events after `cursor`, in log order: from memory, unless the cursor lies before the entries
 * that memory holds.
 */
export const readEvents = async (
  listener: ListenerDefinition,
  cursor: string | Promise<string>,
): Promise<EventBatch> => {
  const [{ start, entries }, from] = await Promise.all([readTail(), cursor]);
  if (from < start) return toBatch(await readFromLog(listener, from));
  return toBatch(entries.filter(({ event, position }) => position > from && listensTo(listener, event)));
};

/** A move of a listener's cursor. */
interface CursorMove {
  name: string;
  from: string;
  to: string;
}

/** Moves cursors with one command. Returns for each move whether the cursor is at its new position. */
const moveCursors = async (moves: CursorMove[]): Promise<boolean[]> => {
  const { matchedCount } = await ListenerCursor.bulkWrite(
    moves.map(({ name: _id, from, to }) => ({
      updateOne: { filter: { _id, cursor: from }, update: { $set: { cursor: to } } },
    })),
    { ordered: false },
  );
  if (matchedCount === moves.length) return moves.map(() => true);
  const cursors = await readCursors(moves.map(({ name }) => name));
  return moves.map(({ name, to }) => cursors.get(name) === to);
};

const moveCursor = batchCalls(moveCursors);

/**
 * Moves a listener's cursor from `from` to `to`, unless a replay or another job has moved it in the meantime. Returns
 * whether the cursor is at `to`.
 */
export const advanceCursor = (name: string, { from, to }: { from: string; to: string }): Promise<boolean> =>
  moveCursor({ name, from, to });

/** Counts the unread events of a listener, up to `limit`. */
export const countPending = async (listener: ListenerDefinition, limit = 100_000): Promise<number> =>
  Change.countDocuments(eventsAfter(listener, await cursorOf(listener.name)), { anyProject: true }).limit(limit);

/** Returns the listeners with unread events. If there are none, this costs two commands. */
export const findBehind = async (): Promise<ListenerDefinition[]> => {
  const cursors = await Promise.all(listeners.map(({ name }) => cursorOf(name)));
  const unread = listeners.map((listener, index) => eventsAfter(listener, cursors[index] as string));
  const exists = (filter: object) => Change.exists(filter).setOptions({ anyProject: true });
  if (!(await exists({ $or: unread }))) return [];
  const isBehind = await Promise.all(unread.map(exists));
  return listeners.filter((_, index) => isBehind[index]);
};

/** Wakes up a listener. If the wake-up is lost, the listener runs after the next sweep. */
export const wakeListener = ({ name, gatherMs }: ListenerDefinition): Promise<void> =>
  enqueue('events.run-listener', { listener: name }, gatherMs);

/** Wakes up the listeners for the given event names. */
export const wakeListeners = async (events: Iterable<string>): Promise<void> => {
  const names = [...events];
  for (const listener of listeners) if (names.some((name) => listensTo(listener, name))) await wakeListener(listener);
};

/** Finds a listener by name. Throws 404 if there is none. */
export const findListener = (name: string): ListenerDefinition => {
  const found = listeners.find((listener) => listener.name === name);
  if (!found)
    throw notFound(`No listener ${name}; the listeners are: ${listeners.map((each) => each.name).join(', ')}`);
  return found;
};

/**
 * Replays all events after a cursor to a listener; `0` means all events in the log. The ids of effects are derived from
 * the event, so that no effect is applied twice. Throws 422 for a cursor ahead of the listener's cursor.
 */
export const replay = async ({ name }: ListenerDefinition, cursor: string): Promise<void> => {
  if (cursor > (await cursorOf(name)))
    throw new AppError(422, 'CURSOR_AHEAD', `${name} has not read as far as ${cursor}; replay from an earlier cursor`);
  await ListenerCursor.updateOne({ _id: name }, { $set: { cursor } }, { upsert: true });
};
