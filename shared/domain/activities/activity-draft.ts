/** Activity drafts. Mappers, one for each event name, derive them from events. */
import type { CurrentActor } from '../../context.ts';
import { omitFields } from '../../wire/omit-fields.ts';

/** The payload of an event, or a part of it. The event registry defines the fields of each event. */
export type PayloadFields = Record<string, unknown>;

/** An activity before it is stored. `involved` lists the user ids of people concerned besides the actor. */
export interface ActivityDraft {
  verb: string;
  target: { type: string; id: string; object: PayloadFields };
  actionObj?: PayloadFields;
  /** Overrides the actor of the event. */
  actor?: CurrentActor;
  related?: { role: string; type: string; id: string };
  involved?: string[];
}

/** The actor of changes made by the system. */
export const SYSTEM_ACTOR: CurrentActor = { type: 'system', id: 'system', name: 'System' };

/** Returns an actor as activities store it: without `depth` (the nesting of triggers) and `trace` (the call's span). */
export const storedActor = (actor: CurrentActor): CurrentActor => omitFields(actor, ['depth', 'trace']);

/** Returns the named fields of a record; undefined fields are left out. */
export const pickFields = (record: PayloadFields, names: readonly string[]): PayloadFields =>
  Object.fromEntries(names.filter((name) => record[name] !== undefined).map((name) => [name, record[name]]));
