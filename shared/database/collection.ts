/** Collections: their models, and the plugins and options that all of them share. */
import mongoose, { type InferSchemaType, type Model, type Schema } from 'mongoose';
import { currentTime } from '../time/clock.ts';
import { eventOutbox } from './plugins/event-outbox.ts';
import { ifMatch } from './plugins/if-match.ts';
import { capRecords } from './plugins/record-caps.ts';
import { tenant } from './plugins/tenant.ts';
import { versioning } from './plugins/versioning.ts';

mongoose.set('strictQuery', 'throw');
mongoose.set('autoIndex', false);
mongoose.set('autoCreate', false);

type CollectionScope = 'project' | 'instance';

/**
 * Creates a model with the plugins of every collection: each write increments `__v`, checks `If-Match`, and stores the
 * events that it emits. With the scope `project`, calls without an `id_project` throw `TenantError`.
 */
export const collection = <S extends Schema>(
  name: string,
  schema: S,
  scope: CollectionScope = 'project',
): Model<InferSchemaType<S>> => {
  schema.plugin(eventOutbox);
  schema.plugin(versioning);
  schema.plugin(ifMatch);
  capRecords(schema, name);
  if (scope === 'project') schema.plugin(tenant);
  return mongoose.model(name, schema, name) as unknown as Model<InferSchemaType<S>>;
};

/** All models of the process. */
export const models = (): Model<unknown>[] => Object.values(mongoose.models) as Model<unknown>[];

/** The models of records with an `id_project`, which are removed with their project. */
export const projectModels = (): Model<unknown>[] => models().filter(({ schema }) => schema.path('id_project'));

/** Options of every schema: timestamps are added, empty objects are stored, and unknown fields are rejected. */
export const schemaOptions = {
  timestamps: { currentTime } as unknown as true, // mongoose infers the types of the fields only from `true`
  minimize: false,
  strict: 'throw',
  id: false,
} as const;
