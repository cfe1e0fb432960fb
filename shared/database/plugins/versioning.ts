/** Counts the versions of a record in `__v`. */
import type { Query, Schema, UpdateQuery } from 'mongoose';

type AnyUpdate = UpdateQuery<unknown> | Record<string, unknown>[];

const withIncrement = (update: AnyUpdate): AnyUpdate => {
  if (Array.isArray(update)) return [...update, { $set: { __v: { $add: [{ $ifNull: ['$__v', 0] }, 1] } } }];
  if (update.$inc?.__v !== undefined) return update;
  const { __v: _, ...onInsert } = (update.$setOnInsert ?? {}) as Record<string, unknown>;
  return { ...update, ...(update.$setOnInsert && { $setOnInsert: onInsert }), $inc: { ...update.$inc, __v: 1 } };
};

type BulkOperation = Record<string, { update?: AnyUpdate } | undefined>;

/**
 * Plugin: every write increments `__v`; new records start at 0. An update that contains `$inc.__v` keeps this
 * increment: migrations set it to 0, so that the version stays the same. Schemas without a version key are not changed.
 */
export const versioning = (schema: Schema) => {
  if (schema.get('versionKey') === false) return;
  schema.pre(['updateOne', 'updateMany', 'findOneAndUpdate'], function incrementUpdate(this: Query<unknown, unknown>) {
    const update = this.getUpdate();
    if (update) this.setUpdate(withIncrement(update));
  });
  schema.pre('save', function incrementDocument() {
    if (!this.isNew) this.increment();
  });
  schema.pre('bulkWrite', (operations: unknown) => {
    for (const operation of operations as BulkOperation[]) {
      const write = operation.updateOne ?? operation.updateMany;
      if (write?.update) write.update = withIncrement(write.update);
    }
  });
};
