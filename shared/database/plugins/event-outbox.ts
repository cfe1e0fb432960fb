/**
 * The outbox of events: a write stores its events in the record that it changes, and the relay appends them to the
 * changes log.
 */
import type { Query, Schema } from 'mongoose';
import { ulid } from 'ulid';
import { currentActor, currentTraceparent } from '../../context.ts';
import { currentTimeMs } from '../../time/clock.ts';

/** The name of an event, and any payload fields in addition to the record. */
export type Emission = [name: string] | [name: string, extras: object];

declare module 'mongoose' {
  interface QueryOptions {
    /** The events that this write emits; created by `emits()`. */
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

interface EmittingOptions {
  emits?: Emission[];
}
type Fields = Record<string, unknown>;
type BulkWrite = { filter?: Fields; update?: Fields | Fields[]; document?: Fields };

/**
 * Serializes events as JSON: [id, id_project, actor?, ...events]. The format is designed for MongoDB's change stream,
 * from which the relay reads the value. The value is a single string, because the change stream reports an array in
 * parts if a pipeline update changed it. The id, a ULID, makes each value different, because the change stream omits
 * unchanged values. The project is part of the value, because the change stream reports only changed fields, and the
 * record may be deleted before the relay reads it.
 */
export const serializeEvents = (emissions: Emission[], owner: Fields = {}): string => {
  const { id_project } = owner;
  const actor = currentActor();
  const trace = currentTraceparent();
  // `Math.random` suffices: the id is not a secret, and a secure source costs more than the rest of this function.
  return JSON.stringify([
    ulid(currentTimeMs(), Math.random),
    typeof id_project === 'string' ? id_project : null,
    ...(actor ? [trace ? { ...actor, trace } : actor] : []),
    ...emissions,
  ]);
};

const withEvents = (update: Fields | Fields[], text: string): Fields | Fields[] =>
  Array.isArray(update)
    ? [...update, { $set: { _events: { $literal: text } } }]
    : { ...update, $set: { ...(update.$set as Fields), _events: text } };

/**
 * Plugin: a write also stores the events of its option `emits` in the hidden `_events` field, atomically. The relay
 * reads them from the change stream. An event therefore exists if and only if its write happened. To insert many
 * records with events, use `bulkWrite`: mongoose does not pass the options of `insertMany` to its hooks.
 */
export const eventOutbox = (schema: Schema) => {
  schema.add({ _events: { type: String, select: false } });
  schema.set('toObject', {
    transform: (_: unknown, plain: Fields) => {
      delete plain._events;
      return plain;
    },
  });
  schema.pre(
    ['updateOne', 'updateMany', 'findOneAndUpdate'],
    function addEventsToUpdate(this: Query<unknown, unknown>) {
      const { emits } = this.getOptions();
      const update = this.getUpdate();
      if (emits && update) this.setUpdate(withEvents(update, serializeEvents(emits, this.getFilter())));
    },
  );
  schema.pre('save', function addEventsToDocument(options: unknown) {
    const { emits } = (options ?? {}) as EmittingOptions;
    if (emits) this.set('_events', serializeEvents(emits, { id_project: this.get('id_project') }));
  });
  schema.pre('bulkWrite', (operations: unknown, options: unknown) => {
    const { emits } = (options ?? {}) as EmittingOptions;
    if (!emits) return;
    for (const write of (operations as Record<string, BulkWrite>[]).flatMap(Object.values) as BulkWrite[]) {
      if (write.update) write.update = withEvents(write.update, serializeEvents(emits, write.filter));
      if (write.document) write.document._events = serializeEvents(emits, write.document);
    }
  });
};
