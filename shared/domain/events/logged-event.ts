/** Entries of the changes log as listeners read them. */
import type { CurrentActor } from '../../context.ts';
import type { EventRef } from '../../jobs.ts';
import { Change } from '../../models/change.ts';

/** An entry of the changes log with its payload, whose fields the event registry defines. */
export interface LoggedEvent {
  id_project: string;
  event: string;
  record: string;
  position: string;
  payload: Record<string, unknown>;
  /** Absent for changes made by the system. */
  actor?: CurrentActor;
  createdAt: Date;
}

/** What identifies an entry. */
type EventKey = Pick<EventRef, 'id' | 'id_project'>;

/** The fields that are for visitors only. */
const TEAM_FIELDS = { visitor: 0, visitor_payload: 0 } as const;
const EVENTS_PER_READ = 25;

const readEntries = async (keys: EventKey[]): Promise<Map<string, LoggedEvent>> => {
  const projects = [...new Set(keys.map(({ id_project }) => id_project))];
  const filter = { id_project: { $in: projects }, _id: { $in: keys.map(({ id }) => id) } };
  const entries = await Change.find(filter, TEAM_FIELDS).hint({ _id: 1 }).lean<(LoggedEvent & { _id: string })[]>();
  return new Map(entries.map((entry) => [entry._id, entry]));
};

/** Reads of several entries at once, by each of their events. */
const sharedReads = new WeakMap<EventKey, () => Promise<Map<string, LoggedEvent>>>();

const shareRead = (refs: EventRef[]): void => {
  let entries: Promise<Map<string, LoggedEvent>> | undefined;
  const read = async () => {
    entries ??= readEntries(refs);
    try {
      return await entries;
    } catch (error) {
      entries = undefined;
      throw error;
    }
  };
  for (const ref of refs) sharedReads.set(ref, read);
};

/** Lets `findLoggedEvent` read the entries of these events 25 at a time, when the first of them is needed. */
export const readTogether = (refs: EventRef[]): void => {
  for (let at = 0; at < refs.length; at += EVENTS_PER_READ) shareRead(refs.slice(at, at + EVENTS_PER_READ));
};

/** The log entry of an event; null if it has expired. */
export const findLoggedEvent = async (ref: EventKey): Promise<LoggedEvent | null> => {
  const read = sharedReads.get(ref) ?? (() => readEntries([ref]));
  return (await read()).get(ref.id) ?? null;
};
