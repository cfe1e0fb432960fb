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
import { OLDEST_CURSOR } from './cursors.ts';

/** Maximum number of events read in a batch. It is large because most events of a busy project are only deferred. */
const MAX_EVENTS_READ = 500;

/** A listener, the events it consumes (`name.*` matches a prefix) and its number of attempts per event. */
export interface ListenerDefinition {
  name: string;
  on: readonly string[];
  attempts: number;
  /** Whether the listener handles whole batches instead of single events. */
  isBatch?: boolean;
}

/**
 * An event with its ordering key. Events with the same key are handled in order: those of one conversation or, without
 * one, of one record.
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

const endOfLog = async (): Promise<string> =>
  (await Change.findOne({}, { position: 1 }, { anyProject: true }).sort({ position: -1 }).lean())?.position ??
  OLDEST_CURSOR;

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

/** Returns the cursor of a listener; the end of the log if the listener has none. */
export const cursorOf = async (name: string): Promise<string> =>
  (await ListenerCursor.findById(name, { cursor: 1 }).lean())?.cursor ?? endOfLog();

const EVENT_FIELDS = {
  ...{ id_project: 1, event: 1, record: 1, position: 1, createdAt: 1 },
  ...{ 'payload.request_id': 1, 'payload.request.request_id': 1 },
} as const;

/** The fields of a log entry that listeners need. The payload names the conversation, if there is one. */
type LogEntry = Omit<EventRef, 'id' | 'record'> & {
  _id: string;
  record?: string;
  createdAt: Date;
  payload?: { request_id?: string; request?: { request_id?: string } };
};

const toOrderedEvent = ({ _id, payload, ...entry }: LogEntry): OrderedEvent => {
  const { id_project, event, record = id_project, position } = entry;
  const conversation = payload?.request_id ?? payload?.request?.request_id;
  return {
    id_project,
    event,
    id: _id,
    record,
    position,
    orderingKey: conversation ? `${id_project} ${conversation}` : record,
  };
};

/** Reads an event of the changes log; null if it is no longer kept. */
export const findEvent = async (id_project: string, _id: string): Promise<OrderedEvent | null> => {
  const entry = await Change.findOne({ id_project, _id }, EVENT_FIELDS).lean<LogEntry>();
  return entry && toOrderedEvent(entry);
};

/** Unread events of a listener, in log order. */
export interface EventBatch {
  events: OrderedEvent[];
  /** The time between the first and the last event, in seconds. */
  seconds: number;
  /** Whether more events may follow. */
  isFull: boolean;
}

const secondsBetween = (first?: LogEntry, last?: LogEntry): number =>
  first && last ? (last.createdAt.getTime() - first.createdAt.getTime()) / 1000 : 0;

/**
 * Reads the next batch of events after `cursor`, in log order, up to the end of the log as read beforehand. Without
 * that bound, a query that merges the index ranges of several event names could return a later event of one name and
 * miss an earlier event of another name that is just being written.
 */
export const readEvents = async (listener: ListenerDefinition, cursor: string): Promise<EventBatch> => {
  const { event, position } = eventsAfter(listener, cursor);
  const filter = { event, position: { ...position, $lte: await endOfLog() } };
  const batch = Change.find(filter, EVENT_FIELDS, { anyProject: true }).sort({ position: 1 }).limit(MAX_EVENTS_READ);
  const entries = await batch.lean<LogEntry[]>();
  const seconds = secondsBetween(entries[0], entries.at(-1));
  return { events: entries.map(toOrderedEvent), seconds, isFull: entries.length === MAX_EVENTS_READ };
};

/**
 * Moves a listener's cursor from `from` to `to`, unless a replay or another job has moved it in the meantime. Returns
 * whether the cursor was moved.
 */
export const advanceCursor = async (name: string, { from, to }: { from: string; to: string }): Promise<boolean> =>
  (await ListenerCursor.updateOne({ _id: name, cursor: from }, { $set: { cursor: to } })).matchedCount === 1;

/** Counts the unread events of a listener, up to `limit`. */
export const countPending = async (listener: ListenerDefinition, limit = 100_000): Promise<number> =>
  Change.countDocuments(eventsAfter(listener, await cursorOf(listener.name)), { anyProject: true }).limit(limit);

/** Wakes up a listener. If the wake-up is lost, the listener runs after the next sweep. */
export const wakeListener = ({ name }: ListenerDefinition): Promise<void> =>
  enqueue('events.run-listener', { listener: name });

/** Wakes up the listeners for the given event names. */
export const wakeListeners = async (events: Iterable<string>): Promise<void> => {
  const names = [...events];
  for (const listener of listeners) if (names.some((name) => listensTo(listener, name))) await wakeListener(listener);
};

/** Finds a listener by name. Throws 404 if there is none. */
export const findListener = (name: string): ListenerDefinition => {
  const found = listeners.find((listener) => listener.name === name);
  if (!found) throw notFound(`No listener ${name}; listeners are: ${listeners.map((each) => each.name).join(', ')}`);
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
