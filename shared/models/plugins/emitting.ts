import type { Query, Schema } from 'mongoose';
import { ulid } from 'ulid';
import { doer } from '../../context.ts';

/** An event's name, and what its payload holds beside the record. */
export type Emission = [name: string] | [name: string, beside: object];

declare module 'mongoose' {
  interface QueryOptions {
    /** The events that this write tells of; made by `emits()`. */
    emits?: Emission[];
  }
  interface MongooseBulkWriteOptions {
    emits?: Emission[];
  }
  interface SaveOptions {
    emits?: Emission[];
  }
}

declare module 'mongodb' {
  interface UpdateOptions {
    emits?: Emission[];
  }
}

interface Told {
  emits?: Emission[];
}
type Fields = Record<string, unknown>;
type Write = { filter?: Fields; update?: Fields | Fields[]; document?: Fields };

/**
 * One text, never an array: a pipeline's update logs an array in parts. Never twice the same: an equal value is not logged at all.
 * With the project, where the write names one: an update's log has only what it changed, and its record may be gone by then. With who
 * made the call, if one did.
 */
export const textOf = (emissions: Emission[], owner: Fields = {}): string => {
  const { id_project } = owner;
  const by = doer();
  // It need not be secret, and the system's random numbers cost more than the rest of it.
  return JSON.stringify([
    ulid(undefined, Math.random),
    typeof id_project === 'string' ? id_project : null,
    ...(by ? [by] : []),
    ...emissions,
  ]);
};

const telling = (update: Fields | Fields[], text: string): Fields | Fields[] =>
  Array.isArray(update)
    ? [...update, { $set: { _events: { $literal: text } } }]
    : { ...update, $set: { ...(update.$set as Fields), _events: text } };

/**
 * A write that says `emits` carries its events in the same atomic write, in the hidden text `_events`; the relay reads them from the
 * database's log (design 3). So no event is lost, and none is told of a write that did not happen. Many new records that tell something
 * go in by `bulkWrite`: mongoose hides the options of `insertMany` from its hooks, and its types refuse `emits` there.
 */
export const emitting = (schema: Schema) => {
  schema.add({ _events: { type: String, select: false } });
  schema.set('toObject', {
    transform: (_: unknown, plain: Fields) => {
      delete plain._events;
      return plain;
    },
  });
  schema.pre(['updateOne', 'updateMany', 'findOneAndUpdate'], function tell(this: Query<unknown, unknown>) {
    const { emits } = this.getOptions();
    const update = this.getUpdate();
    if (emits && update) this.setUpdate(telling(update, textOf(emits, this.getFilter())));
  });
  schema.pre('save', function tell(options: unknown) {
    const { emits } = (options ?? {}) as Told;
    if (emits) this.set('_events', textOf(emits, { id_project: this.get('id_project') }));
  });
  schema.pre('bulkWrite', (operations: unknown, options: unknown) => {
    const { emits } = (options ?? {}) as Told;
    if (!emits) return;
    for (const write of (operations as Record<string, Write>[]).flatMap(Object.values) as Write[]) {
      if (write.update) write.update = telling(write.update, textOf(emits, write.filter));
      if (write.document) write.document._events = textOf(emits, write.document);
    }
  });
};
