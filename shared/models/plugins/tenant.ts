import type { Aggregate, Query, Schema } from 'mongoose';

declare module 'mongoose' {
  interface QueryOptions {
    /** Sweeps only: this call is meant for the records of every project. */
    anyProject?: boolean;
  }
}

/** A call on a project's collection that does not say whose project: a mistake in our code, never the caller's. */
export class TenantError extends Error {
  constructor(model: string, call: string) {
    super(`${model}.${call} without id_project`);
    this.name = 'TenantError';
  }
}

type Fields = Record<string, unknown>;

const QUERIES = [
  'find',
  'findOne',
  'findOneAndUpdate',
  'findOneAndDelete',
  'findOneAndReplace',
  'replaceOne',
  'updateOne',
  'updateMany',
  'deleteOne',
  'deleteMany',
  'countDocuments',
  'distinct',
] as const;

const named = (filter: Fields | undefined): boolean => {
  const project = filter?.id_project as Fields | string | undefined;
  return typeof project === 'string' || Array.isArray(project?.$in);
};

const operationIsNamed = (operation: Fields): boolean => {
  const [kind, write] = Object.entries(operation)[0] as [string, { filter?: Fields; document?: Fields }];
  return kind === 'insertOne' ? named(write.document) : named(write.filter);
};

const pipelineIsNamed = (stages: Fields[]): boolean =>
  named(stages[0]?.$match as Fields | undefined) &&
  stages.every((stage) => !('$lookup' in stage) || lookupIsNamed(stage.$lookup as Fields));

const lookupIsNamed = ({ pipeline }: Fields): boolean =>
  Array.isArray(pipeline) && pipelineIsNamed(pipeline as Fields[]);

const guarded = new WeakSet<object>();

/** The same rule for a read that goes round mongoose. */
export const refuseUnnamed = (model: { modelName: string; schema: object }, call: string, filter: Fields): void => {
  if (guarded.has(model.schema) && !named(filter)) throw new TenantError(model.modelName, call);
};

/** Throw on every call, in any process, that does not carry `id_project` (design 1.3). Sweeps say `anyProject`. */
export const tenant = (schema: Schema) => {
  guarded.add(schema);
  const refuse = (model: string, call: string): never => {
    throw new TenantError(model, call);
  };
  schema.pre([...QUERIES], function check(this: Query<unknown, unknown> & { op: string }) {
    if (!this.getOptions().anyProject && !named(this.getFilter())) refuse(this.model.modelName, this.op);
  });
  schema.pre('estimatedDocumentCount', function check(this: Query<unknown, unknown>) {
    refuse(this.model.modelName, 'estimatedDocumentCount');
  });
  schema.pre('aggregate', function check(this: Aggregate<unknown>) {
    const anyProject = (this.options as { anyProject?: boolean }).anyProject;
    if (!anyProject && !pipelineIsNamed(this.pipeline() as unknown as Fields[]))
      refuse(this.model().modelName, 'aggregate');
  });
  schema.pre('save', function check() {
    const project = this.get('id_project');
    if (typeof project !== 'string' || (!this.isNew && this.isModified('id_project')))
      refuse(this.collection.name, 'save');
    this.$where = { ...this.$where, id_project: project };
  });
  schema.pre('insertMany', function check(documents: unknown) {
    if (!(documents as Fields[]).every(named)) refuse(this.modelName, 'insertMany');
  });
  schema.pre('bulkWrite', function check(operations: unknown, options: unknown) {
    const anyProject = (options as { anyProject?: boolean } | undefined)?.anyProject;
    if (!anyProject && !(operations as Fields[]).every(operationIsNamed)) refuse(this.modelName, 'bulkWrite');
  });
};
