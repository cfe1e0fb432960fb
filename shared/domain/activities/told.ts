/** An event as activities read it, and what they make of it. */
import type { Doer } from '../../context.ts';
import { Change } from '../../models/change.ts';

/** A record, or what stands beside one in a payload: the menu of events says of each what it holds. */
export type Fields = Record<string, unknown>;

/** What happened, to which record, and by whom: an entry of the changes log. */
export interface Told {
  id_project: string;
  event: string;
  record: string;
  position: string;
  payload: Fields;
  /** Absent where the system did it by itself. */
  by?: Doer;
  createdAt: Date;
}

/** What was done with what, and who is concerned beside who did it. */
export interface Deed {
  verb: string;
  target: { type: string; id: string; object: Fields };
  actionObj?: Fields;
  /** Where somebody else than the caller is said to have done it. */
  actor?: Doer;
  related?: { role: string; type: string; id: string };
  involved?: string[];
}

/** The system, where nobody called. */
export const SYSTEM: Doer = { type: 'system', id: 'system', name: 'System' };

/** The entry of an event that was heard; null where the log keeps it no more. */
export const toldOf = ({ id_project, id }: { id_project: string; id: string }): Promise<Told | null> =>
  Change.findOne({ id_project, _id: id }).lean<Told>();

/** Some fields of a record, as far as it has them. */
export const pick = (record: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.filter((name) => record[name] !== undefined).map((name) => [name, record[name]]));
