/** Entries of the changes log in the form that listeners read. */
import type { CurrentActor } from '../../context.ts';
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

/** Finds the log entry of an event; null if it has expired. */
export const findLoggedEvent = ({ id_project, id }: { id_project: string; id: string }): Promise<LoggedEvent | null> =>
  Change.findOne({ id_project, _id: id }).lean<LoggedEvent>();
