/**
 * Reads and writes whole documents directly through the driver, mainly in collections that callers do not write, such
 * as the rollups. Nothing is cast: the code passes values of the types that are stored. Binary fields are Buffers.
 * Filters must name `id_project`, as with mongoose.
 */
import type { ClientSession, Collection, mongo } from 'mongoose';
import { assertTenant } from './plugins/tenant.ts';

/** The part of a model that these functions use. */
interface DocumentModel {
  modelName: string;
  schema: object;
  collection: Collection;
}

type Fields = Record<string, unknown>;

const DOCUMENTS_PER_BATCH = 10_000;
/**
 * The hint for writes by id: the index to use. Without it, the server would compare the indexes on `_id` and on
 * `id_project` for each write.
 */
const ID_INDEX = { _id: 1 } as const;

/** Iterates over the documents that match. `fields` lists the fields to read; by default, all are read. */
export const readDocuments = <D>(
  model: DocumentModel,
  filter: Fields,
  {
    session,
    fields,
    sort,
    limit,
  }: { session?: ClientSession; fields?: string[]; sort?: Record<string, 1>; limit?: number } = {},
): mongo.FindCursor<D & mongo.BSON.Document> => {
  assertTenant(model, 'readDocuments', filter);
  const projection = fields && Object.fromEntries(fields.map((name) => [name, 1]));
  const options = { promoteBuffers: true, batchSize: DOCUMENTS_PER_BATCH, session, projection, sort, limit };
  return model.collection.find(filter, options) as unknown as mongo.FindCursor<D & mongo.BSON.Document>;
};

/** A document to store under its id, or null to delete the stored document. */
export interface DocumentWrite<D> {
  id_project: string;
  _id: string;
  document: D | null;
  /** Whether a document with this id exists, as read in the transaction. If not, `document` is inserted. */
  exists: boolean;
}

/** Inserts, replaces or deletes documents, with one command per kind of write. */
export const writeDocuments = async <D extends object>(
  model: DocumentModel,
  writes: DocumentWrite<D>[],
  session: ClientSession,
): Promise<void> => {
  const operations = writes.map(({ id_project, _id, document, exists }) => {
    const filter = { id_project, _id };
    assertTenant(model, 'writeDocuments', filter);
    if (!document) return { deleteOne: { filter, hint: ID_INDEX } };
    return exists ? { replaceOne: { filter, replacement: document, hint: ID_INDEX } } : { insertOne: { document } };
  });
  if (!operations.length) return;
  await model.collection.bulkWrite(operations as unknown as mongo.AnyBulkWriteOperation[], { session, ordered: false });
};
