/** MongoDB: the one connection, the rules every collection keeps, and the only way round mongoose. */
import mongoose, {
  type ClientSession,
  type ConnectOptions,
  type InferSchemaType,
  type Model,
  type Schema,
} from 'mongoose';
import { config } from './config.ts';
import { expectation } from './context.ts';
import { capped } from './models/plugins/capped.ts';
import { emitting } from './models/plugins/emitting.ts';
import { expecting } from './models/plugins/expecting.ts';
import { revision } from './models/plugins/revision.ts';
import { tenant } from './models/plugins/tenant.ts';
import { Roster } from './roster.ts';

mongoose.set('strictQuery', 'throw');
mongoose.set('autoIndex', false);
mongoose.set('autoCreate', false);

/** Connect with writes that survive a crash: majority, journalled, retried once by the driver. */
export const connectMongo = async (more: ConnectOptions = {}): Promise<void> => {
  await mongoose.connect(config.MONGODB_URI, {
    writeConcern: { w: 'majority', j: true },
    retryWrites: true,
    ignoreUndefined: true,
    serverSelectionTimeoutMS: 2000,
    maxPoolSize: 40,
    ...more,
  });
  lightenDriver(mongoose.connection.getClient());
};

/** The driver lists what is open, to close it in the end; its lists would keep most of what was ever read (`Roster`). */
const lightenDriver = (client: object): void => {
  const { s: lists } = client as { s: Record<'activeCursors' | 'activeSessions', Iterable<object>> };
  lists.activeCursors = new Roster();
  lists.activeSessions = new Roster();
};

const DUPLICATE = 11_000;

/** True when a write failed because a record with its unique keys is there. */
export const isDuplicate = (error: unknown): boolean => (error as { code?: number }).code === DUPLICATE;

/** Make a record; false when one with its unique keys, or made by an earlier try with its id (`newId`), is there. */
export const makeOnce = async (make: () => Promise<unknown>): Promise<boolean> => {
  try {
    await make();
    return true;
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    return false;
  }
};

/** Close every connection. */
export const disconnectMongo = () => mongoose.disconnect();

/** True when a write reaches the disk of the primary; throws what is wrong otherwise. */
export const mongoWrites = () =>
  mongoose.connection
    .collection<{ _id: string }>('health')
    .updateOne({ _id: 'probe' }, { $set: { at: new Date() } }, { upsert: true });

/** Run `work` in one transaction, again from the start when MongoDB asks for it: it makes its documents anew each time. */
export const inTransaction = <T>(work: (session: ClientSession) => Promise<T>): Promise<T> => {
  const expected = expectation();
  const before = { ...expected };
  return mongoose.connection.withSession((session) =>
    session.withTransaction(() => {
      if (expected) Object.assign(expected, before); // what an earlier try wrote is undone
      return work(session);
    }),
  );
};

/** Read several things as they are at one and the same moment. */
export const atOneMoment = async <T>(read: (session: ClientSession) => Promise<T>): Promise<T> => {
  await using session = await mongoose.connection.startSession({ snapshot: true });
  return await read(session);
};

type Kept = 'project' | 'instance';

/**
 * Make a model: `project` collections refuse every call that does not name its `id_project` (decision 6),
 * every write of any collection raises `__v` by one, keeps the version that its caller expects, and carries the events that it says it emits.
 */
export const collection = <S extends Schema>(
  name: string,
  schema: S,
  kept: Kept = 'project',
): Model<InferSchemaType<S>> => {
  schema.plugin(emitting);
  schema.plugin(revision);
  schema.plugin(expecting);
  capped(schema, name);
  if (kept === 'project') schema.plugin(tenant);
  return mongoose.model(name, schema, name) as unknown as Model<InferSchemaType<S>>;
};

/** Every model of the process, for indexes and tests. */
export const models = (): Model<unknown>[] => Object.values(mongoose.models) as Model<unknown>[];

/** Those with records that name a project: they are its own, and go with it. */
export const projectModels = (): Model<unknown>[] => models().filter(({ schema }) => schema.path('id_project'));

/** Options of every schema: times kept by mongoose, nothing dropped, nothing unknown let in. */
export const kept = { timestamps: true, minimize: false, strict: 'throw', id: false } as const;
