/** Activity drafts: what the mappers derive from events. */
import type { CurrentActor } from '../../context.ts';
import { omitFields } from '../../wire/omit-fields.ts';

/** A payload of an event, or a part of one. The event registry defines the fields of each event. */
export type PayloadFields = Record<string, unknown>;

/** An activity before it is stored. `involved` are the user ids of other people whom it concerns. */
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

/** Returns an actor as it is stored. */
export const withoutDepth = (actor: CurrentActor): CurrentActor => omitFields(actor, ['depth']);

/** Picks the named fields that a record has. */
export const pickFields = (record: PayloadFields, names: readonly string[]): PayloadFields =>
  Object.fromEntries(names.filter((name) => record[name] !== undefined).map((name) => [name, record[name]]));
