import type { Query, Schema, UpdateQuery } from 'mongoose';

type Update = UpdateQuery<unknown> | Record<string, unknown>[];

const raised = (update: Update): Update => {
  if (Array.isArray(update)) return [...update, { $set: { __v: { $add: [{ $ifNull: ['$__v', 0] }, 1] } } }];
  if (update.$inc?.__v !== undefined) return update;
  const { __v: _, ...fresh } = (update.$setOnInsert ?? {}) as Record<string, unknown>;
  return { ...update, ...(update.$setOnInsert && { $setOnInsert: fresh }), $inc: { ...update.$inc, __v: 1 } };
};

type BulkOperation = Record<string, { update?: Update } | undefined>;

/** Every write raises the record's revision `__v` by one; an inserted record starts at 0. Collections without one are left alone. */
export const revision = (schema: Schema) => {
  if (schema.get('versionKey') === false) return;
  schema.pre(['updateOne', 'updateMany', 'findOneAndUpdate'], function raise(this: Query<unknown, unknown>) {
    const update = this.getUpdate();
    if (update) this.setUpdate(raised(update));
  });
  schema.pre('save', function raise() {
    if (!this.isNew) this.increment();
  });
  schema.pre('bulkWrite', (operations: unknown) => {
    for (const operation of operations as BulkOperation[]) {
      const write = operation.updateOne ?? operation.updateMany;
      if (write?.update) write.update = raised(write.update);
    }
  });
};
