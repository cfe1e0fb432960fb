/** Reads the database of another system, from which projects are imported. Sends only read commands. */
import { hash } from 'node:crypto';
import { mongo } from 'mongoose';
import { AppError } from '../errors.ts';

/** A document of another database. */
type Fields = Record<string, unknown>;

const SERVER_SELECTION_MS = 10_000;
const TIMEOUT_OPTION = /[?&]serverSelectionTimeoutMS=/;
const MAX_BATCH_BYTES = 16_000_000;
const DATABASE_NAME = /^mongodb(?:\+srv)?:\/\/[^/]+\/([^/?]+)/;

/** The `_id` after which reading begins, and the maximum number of documents in a batch. */
interface BatchOptions {
  after?: unknown;
  maxDocuments: number;
}

const openError = (reason: string) =>
  new AppError(503, 'SOURCE_UNAVAILABLE', `The source database cannot be read: ${reason}`);

const sourceError = (rule: string) => new AppError(422, 'INVALID', `source: ${rule}`);

const createClient = (uri: string): mongo.MongoClient => {
  if (!DATABASE_NAME.test(uri))
    throw sourceError('must be a connection string with a database name, such as mongodb://host:27017/name');
  const timeout = TIMEOUT_OPTION.test(uri) ? {} : { serverSelectionTimeoutMS: SERVER_SELECTION_MS };
  try {
    return new mongo.MongoClient(uri, { ...timeout, retryWrites: false, appName: 'import' });
  } catch {
    // The driver's message may contain parts of the connection string.
    throw sourceError(
      'must be a valid connection string; check its options, and percent-encode special characters in the user name and the password',
    );
  }
};

const connect = async (uri: string): Promise<mongo.MongoClient> => {
  const client = createClient(uri);
  try {
    return await client.connect();
  } catch (error) {
    throw openError(String(error));
  }
};

/** Iterates over a collection in the order of `_id`, in batches with a limited number of documents and bytes. */
async function* readBatches(
  documents: mongo.Collection,
  { after, maxDocuments }: BatchOptions,
): AsyncGenerator<Fields[]> {
  const cursor = documents.find({}, { sort: { _id: 1 }, batchSize: maxDocuments });
  // Unlike a filter, `min` also includes ids whose type differs from the type of `after`. It includes `after` itself.
  if (after !== undefined) cursor.min({ _id: after }).hint({ _id: 1 });
  let batch: Fields[] = [];
  let bytes = 0;
  const skipped = JSON.stringify(after);
  for await (const document of cursor) {
    if (after !== undefined && JSON.stringify(document._id) === skipped) continue;
    batch.push(document);
    bytes += mongo.BSON.calculateObjectSize(document);
    if (batch.length < maxDocuments && bytes < MAX_BATCH_BYTES) continue;
    yield batch;
    [batch, bytes] = [[], 0];
  }
  if (batch.length) yield batch;
}

/** Returns the names of the collections. Closes the client if they cannot be read. */
const listNames = async (client: mongo.MongoClient): Promise<string[]> => {
  try {
    const found = await client.db().listCollections({ type: 'collection' }, { nameOnly: true }).toArray();
    return found
      .map(({ name }) => name)
      .filter((name) => !name.startsWith('system.'))
      .toSorted();
  } catch (error) {
    await client.close();
    throw openError(String(error));
  }
};

/**
 * Opens a source. Errors: 422 for an invalid connection string or one without a database name, 503 for an unavailable
 * source.
 */
export const openSource = async (uri: string) => {
  const client = await connect(uri);
  const collections = await listNames(client);
  const database = client.db();
  const hosts = client.options.hosts.map(String).toSorted().join(',');
  const address = `${hosts}/${database.databaseName}`;
  return {
    /** Hosts and database name, without credentials. */
    address,
    /** Begins the ids of the records that store the progress of an import from this source. */
    id: hash('sha256', address).slice(0, 16),
    collections,
    count: (name: string): Promise<number> => database.collection(name).estimatedDocumentCount(),
    batches: (name: string, options: BatchOptions) => readBatches(database.collection(name), options),
    find: (name: string, filter: Fields, options: mongo.FindOptions = {}): Promise<Fields[]> =>
      database.collection(name).find(filter, options).toArray(),
    openFile: (bucket: string, file: unknown): NodeJS.ReadableStream =>
      new mongo.GridFSBucket(database, { bucketName: bucket }).openDownloadStream(file as mongo.ObjectId),
    close: (): Promise<void> => client.close(),
  };
};

/** An opened source. */
export type Source = Awaited<ReturnType<typeof openSource>>;
