/**
 * Reads and writes the documents of any collection as BSON, for backups: nothing is cast, no hook runs, and no event is
 * emitted, so that every document keeps its bytes.
 */
import mongoose, { type ClientSession, mongo } from 'mongoose';

const DOCUMENTS_PER_BATCH = 1000;

/** Keeps the BSON type of each value, so that a document is written with the bytes that were read. */
const EXACT_TYPES = { promoteValues: false, promoteLongs: false, promoteBuffers: false, bsonRegExp: true } as const;

/** Writes are acknowledged by one node only. The next `putById` also waits until a majority has them. */
const FAST_WRITES = { writeConcern: { w: 1, j: false } } as const;

const NAMESPACE_NOT_FOUND = 26;

type AnyDocument = mongo.BSON.Document & { _id: never };

/** The database of the connection. */
const database = () => {
  const { db } = mongoose.connection;
  if (!db) throw new Error('MongoDB is not connected; call connectMongo first');
  return db;
};

const collectionOf = (name: string) => database().collection<AnyDocument>(name);

/** A collection, with the options and indexes that are needed to recreate it. */
export interface CollectionDefinition {
  name: string;
  options: Record<string, unknown>;
  indexes: Record<string, unknown>[];
}

/** Lists the collections of the database, sorted by name, excluding views and system collections. */
export const listCollections = async (): Promise<CollectionDefinition[]> => {
  const found = await database().listCollections({ type: 'collection' }, { nameOnly: false }).toArray();
  const named = found.filter(({ name }) => !name.startsWith('system.')).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const definitions = named.map(async ({ name, ...rest }) => ({
    name,
    options: ('options' in rest ? rest.options : {}) as Record<string, unknown>,
    indexes: await collectionOf(name).indexes(),
  }));
  return Promise.all(definitions);
};

/** Reads all documents of a collection as BSON, in the order of their ids. */
export const readBson = (name: string, session?: ClientSession): AsyncIterable<Buffer> =>
  collectionOf(name).find(
    {},
    { raw: true, session, sort: { _id: 1 }, batchSize: DOCUMENTS_PER_BATCH },
  ) as unknown as AsyncIterable<Buffer>;

/** Decodes a document so that `insertBson` writes the same bytes. */
export const decodeExactly = (bson: Uint8Array): mongo.BSON.Document => mongo.BSON.deserialize(bson, EXACT_TYPES);

/** Reads the stored documents whose ids are those of the given documents. Returns their BSON by id (see `idText`). */
export const findBson = async (name: string, documents: mongo.BSON.Document[]): Promise<Map<string, Buffer>> => {
  const ids = documents.map(({ _id }) => _id as never);
  const options = { raw: true, batchSize: documents.length };
  const cursor = collectionOf(name).find({ _id: { $in: ids } }, options) as unknown as AsyncIterable<Buffer>;
  const found = new Map<string, Buffer>();
  for await (const bson of cursor) found.set(idText(decodeExactly(bson)), bson);
  return found;
};

/** Returns the id of a document as extended JSON, which distinguishes ids of different types. */
export const idText = ({ _id }: mongo.BSON.Document): string => mongo.BSON.EJSON.stringify({ _id });

/** Inserts documents with their exact bytes. */
export const insertBson = async (name: string, documents: Uint8Array[]): Promise<void> => {
  const options = { ...FAST_WRITES, ordered: false, bypassDocumentValidation: true };
  await collectionOf(name).insertMany(documents.map(decodeExactly) as AnyDocument[], options);
};

/** Counts the documents of a collection. */
export const countAll = (name: string): Promise<number> => collectionOf(name).countDocuments({});

/** Rethrows an error, unless it means that the collection does not exist. */
const ignoreMissing = (error: unknown): void => {
  if (!(error instanceof mongo.MongoServerError && error.code === NAMESPACE_NOT_FOUND)) throw error;
};

/** Returns the indexes of a collection; none if it does not exist. */
export const readIndexes = async (name: string): Promise<Record<string, unknown>[]> =>
  (await collectionOf(name).indexes().catch(ignoreMissing)) ?? [];

/** Drops a collection; does nothing if it does not exist. */
export const dropCollection = async (name: string): Promise<void> => {
  await database().dropCollection(name).catch(ignoreMissing);
};

/** Creates an empty collection without its indexes. */
export const createCollection = async ({ name, options }: CollectionDefinition): Promise<void> => {
  await database().createCollection(name, options);
};

export const createIndexes = async ({ name, indexes }: CollectionDefinition): Promise<void> => {
  const missing = indexes.filter(({ name: index }) => index !== '_id_');
  if (missing.length) await collectionOf(name).createIndexes(missing as unknown as mongo.IndexDescription[]);
};

/** Sets and removes fields in all documents of a collection; runs no hook. */
export const setInAll = async (
  name: string,
  update: { $set?: Record<string, unknown>; $unset?: Record<string, unknown> },
): Promise<void> => {
  await collectionOf(name).updateMany({}, update);
};

/** Reads a document by a string id. */
export const readById = (name: string, id: string): Promise<Record<string, unknown> | null> =>
  collectionOf(name).findOne({ _id: id as never });

/** Writes a document with a string id; the write is acknowledged by a majority, together with all earlier writes. */
export const putById = async (name: string, id: string, fields: Record<string, unknown>): Promise<void> => {
  await collectionOf(name).replaceOne({ _id: id as never }, fields, { upsert: true });
};

/** The name of the database, and the version of the server. */
export const describeDatabase = async (): Promise<{ database: string; server: string }> => {
  const { version } = (await database().admin().serverInfo()) as { version: string };
  return { database: database().databaseName, server: version };
};
