/** The MongoDB connection of the process, transactions, and the plugins that every collection uses. */
import mongoose, {
  type ClientSession,
  type ConnectOptions,
  type InferSchemaType,
  type Model,
  type Schema,
} from 'mongoose';
import { config } from '../config.ts';
import { expectedVersion } from '../context.ts';
import { eventOutbox } from './plugins/event-outbox.ts';
import { ifMatch } from './plugins/if-match.ts';
import { capRecords } from './plugins/record-caps.ts';
import { tenant } from './plugins/tenant.ts';
import { versioning } from './plugins/versioning.ts';
import { SlotSet } from './slot-set.ts';

mongoose.set('strictQuery', 'throw');
mongoose.set('autoIndex', false);
mongoose.set('autoCreate', false);

/** Connects. Writes are acknowledged by a majority and journaled, and retried once by the driver. */
export const connectMongo = async (more: ConnectOptions = {}): Promise<void> => {
  await mongoose.connect(config.MONGODB_URI, {
    writeConcern: { w: 'majority', j: true },
    retryWrites: true,
    ignoreUndefined: true,
    serverSelectionTimeoutMS: 2000,
    maxPoolSize: 40,
    enableUtf8Validation: false, // only this system writes, in UTF-8; the check costs more than the decoding itself
    ...more,
  });
  patchDriverSets(mongoose.connection.getClient());
};

/** Replaces the driver's sets of open cursors and sessions, which keep closed ones in memory (see `SlotSet`). */
const patchDriverSets = (client: object): void => {
  const { s: state } = client as { s: Record<'activeCursors' | 'activeSessions', Iterable<object>> };
  state.activeCursors = new SlotSet();
  state.activeSessions = new SlotSet();
};

const DUPLICATE_KEY = 11_000;

/** Whether a write failed because a record with the same unique key exists. */
export const isDuplicateKey = (error: unknown): boolean => (error as { code?: number }).code === DUPLICATE_KEY;

/**
 * Runs an insert. Returns false if a record with the same unique key, or the same id from an earlier attempt (`newId`),
 * exists.
 */
export const insertIfAbsent = async (insert: () => Promise<unknown>): Promise<boolean> => {
  try {
    await insert();
    return true;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return false;
  }
};

/** Closes all connections. */
export const disconnectMongo = () => mongoose.disconnect();

/** Writes a probe record. Rejects if MongoDB cannot store it durably. */
export const checkMongoWritable = () =>
  mongoose.connection
    .collection<{ _id: string }>('health')
    .updateOne({ _id: 'probe' }, { $set: { at: new Date() } }, { upsert: true });

/**
 * Runs `work` in a transaction and returns its result. MongoDB may rerun `work` from the start, so it must create its
 * documents inside.
 */
export const inTransaction = <T>(work: (session: ClientSession) => Promise<T>): Promise<T> => {
  const expected = expectedVersion();
  const initial = { ...expected };
  return mongoose.connection.withSession((session) =>
    session.withTransaction(() => {
      if (expected) Object.assign(expected, initial); // the writes of an aborted attempt are undone
      return work(session);
    }),
  );
};

/** Runs several reads in one snapshot, so that all see the same point in time. */
export const inSnapshot = async <T>(read: (session: ClientSession) => Promise<T>): Promise<T> => {
  await using session = await mongoose.connection.startSession({ snapshot: true });
  return await read(session);
};

type CollectionScope = 'project' | 'instance';

/**
 * Creates a model with the plugins of every collection: each write increments `__v`, honours `If-Match`, and stores the
 * events that it emits. With the scope `project`, calls without an `id_project` throw.
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

/** All models of the process, for indexes and tests. */
export const models = (): Model<unknown>[] => Object.values(mongoose.models) as Model<unknown>[];

/** The models whose records belong to a project; they are removed with it. */
export const projectModels = (): Model<unknown>[] => models().filter(({ schema }) => schema.path('id_project'));

/** Options of every schema: timestamps, empty objects are stored, unknown fields throw. */
export const schemaOptions = { timestamps: true, minimize: false, strict: 'throw', id: false } as const;
