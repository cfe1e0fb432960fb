/**
 * Requires every call on a collection whose records belong to projects to name a project, so that no query can read the
 * records of another project.
 */
import mongoose, { type Aggregate, type Query, type Schema } from 'mongoose';

declare module 'mongoose' {
  interface QueryOptions {
    /** Set if the call intentionally covers all projects, as in a sweep. */
    anyProject?: boolean;
  }
}

/** Thrown for a call without `id_project`: a defect in the code, not a mistake by the caller. */
export class TenantError extends Error {
  constructor(model: string, call: string) {
    super(`${model}.${call} without id_project`);
    this.name = 'TenantError';
  }
}

type Fields = Record<string, unknown>;

const QUERY_OPERATIONS = [
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

const namesProject = (filter: Fields | undefined): boolean => {
  const project = filter?.id_project as Fields | string | undefined;
  return typeof project === 'string' || Array.isArray(project?.$in);
};

const operationNamesProject = (operation: Fields): boolean => {
  const [kind, write] = Object.entries(operation)[0] as [string, { filter?: Fields; document?: Fields }];
  return kind === 'insertOne' ? namesProject(write.document) : namesProject(write.filter);
};

const pipelineNamesProject = (stages: Fields[]): boolean =>
  namesProject(stages[0]?.$match as Fields | undefined) && stages.every(joinNamesProject);

/** Whether an aggregation stage names a project, or reads no other collection whose records belong to projects. */
const joinNamesProject = ({ $lookup, $unionWith }: Fields): boolean => {
  const join = $lookup ?? $unionWith;
  if (join === undefined) return true;
  const { from, coll, pipeline } = (typeof join === 'string' ? { coll: join } : join) as Fields;
  return isOfInstance(from ?? coll) || (Array.isArray(pipeline) && pipelineNamesProject(pipeline as Fields[]));
};

/** Whether the records of a collection, such as the accounts, belong to no project. */
const isOfInstance = (collection: unknown): boolean => {
  const model = mongoose.models[collection as string];
  return model !== undefined && !tenantSchemas.has(model.schema);
};

const tenantSchemas = new WeakSet<object>();

/** Throws `TenantError` unless the filter names a project; for calls that bypass mongoose. */
export const assertTenant = (model: { modelName: string; schema: object }, call: string, filter: Fields): void => {
  if (tenantSchemas.has(model.schema) && !namesProject(filter)) throw new TenantError(model.modelName, call);
};

/** Plugin: throws `TenantError` for every call without `id_project`, unless its options have `anyProject`. */
export const tenant = (schema: Schema) => {
  tenantSchemas.add(schema);
  const rejectCall = (model: string, call: string): never => {
    throw new TenantError(model, call);
  };
  schema.pre([...QUERY_OPERATIONS], function check(this: Query<unknown, unknown> & { op: string }) {
    if (!this.getOptions().anyProject && !namesProject(this.getFilter())) rejectCall(this.model.modelName, this.op);
  });
  schema.pre('estimatedDocumentCount', function check(this: Query<unknown, unknown>) {
    rejectCall(this.model.modelName, 'estimatedDocumentCount');
  });
  schema.pre('aggregate', function check(this: Aggregate<unknown>) {
    const { anyProject } = this.options as { anyProject?: boolean };
    if (!anyProject && !pipelineNamesProject(this.pipeline() as unknown as Fields[]))
      rejectCall(this.model().modelName, 'aggregate');
  });
  schema.pre('save', function check() {
    const project = this.get('id_project');
    if (typeof project !== 'string' || (!this.isNew && this.isModified('id_project')))
      rejectCall(this.collection.name, 'save');
    this.$where = { ...this.$where, id_project: project };
  });
  schema.pre('insertMany', function check(documents: unknown) {
    if (!(documents as Fields[]).every(namesProject)) rejectCall(this.modelName, 'insertMany');
  });
  schema.pre('bulkWrite', function check(operations: unknown, options: unknown) {
    const anyProject = (options as { anyProject?: boolean } | undefined)?.anyProject;
    if (!anyProject && !(operations as Fields[]).every(operationNamesProject)) rejectCall(this.modelName, 'bulkWrite');
  });
};
