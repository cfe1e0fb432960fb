/** Entries of the changes log in the form that listeners read. */
import type { CurrentActor } from '../../context.ts';
import { Change } from '../../models/change.ts';
import { recentEntry } from './log-tail.ts';

/** An entry of the changes log with its payload, whose fields the event registry defines. */
export interface LoggedEvent {
  id_project: string;
  event: string;
  record: string;
  position: string;
  payload: Record<string, unknown>;
  /**
   * The values that the event's declaration stores for listeners, such as the bot of the conversation at the time of
   * the write.
   */
  context?: Record<string, unknown>;
  /** Absent for changes made by the system. */
  actor?: CurrentActor;
  createdAt: Date;
}

/** A logged event with its id. */
export interface IdentifiedEvent extends LoggedEvent {
  _id: string;
}

const recentEvent = (id: string): IdentifiedEvent | undefined => recentEntry(id) as IdentifiedEvent | undefined;

/** Finds the log entry of an event; null if it has expired. */
export const findLoggedEvent = async ({
  id_project,
  id,
}: {
  id_project: string;
  id: string;
}): Promise<LoggedEvent | null> => recentEvent(id) ?? Change.findOne({ id_project, _id: id }).lean<LoggedEvent>();

/**
 * Finds the log entries of events of any project, by id. Expired entries are left out. `fields` is the projection for
 * entries that memory does not hold.
 */
export const findLoggedEvents = async (ids: string[], fields: object = {}): Promise<Map<string, IdentifiedEvent>> => {
  const recent = ids.map((id) => [id, recentEvent(id)] as const);
  const missing = recent.flatMap(([id, event]) => (event ? [] : [id]));
  const read = missing.length
    ? await Change.find({ _id: { $in: missing } }, fields, { anyProject: true }).lean<IdentifiedEvent[]>()
    : [];
  const found = new Map(read.map((event): [string, IdentifiedEvent] => [event._id, event]));
  for (const [id, event] of recent) if (event) found.set(id, event);
  return found;
};
