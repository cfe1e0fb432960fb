/**
 * Searches whole collections by the bytes of their documents, and deletes or changes documents without events, for the
 * erasure of a person.
 */
import { type ClientSession, mongo } from 'mongoose';
import { keywordsOf } from './plugins/search-keywords.ts';
import type { models } from './collection.ts';

type AnyModel = ReturnType<typeof models>[number];
type Fields = Record<string, unknown>;

/** A decoded document; its binary fields are Buffers. */
export type WholeDocument = Fields & { _id: unknown; __v?: unknown };

const DOCUMENTS_PER_BATCH = 500;

/**
 * Yields the documents of all projects, or of `projects`, whose bytes, read as latin1 (one character per byte), match
 * the pattern.
 */
export async function* searchBytes(
  model: AnyModel,
  pattern: RegExp,
  projects?: string[],
): AsyncGenerator<WholeDocument> {
  const filter = projects && model.schema.path('id_project') ? { id_project: { $in: projects } } : {};
  const options = { raw: true, batchSize: DOCUMENTS_PER_BATCH };
  const found = model.collection.find(filter, options) as unknown as AsyncIterable<Buffer>;
  for await (const bson of found)
    if (pattern.test(bson.toString('latin1')))
      yield mongo.BSON.deserialize(bson, { promoteBuffers: true, bsonRegExp: true }) as WholeDocument;
}

/** Reads a document by its id; null if it does not exist. */
export const readWhole = (model: AnyModel, id: unknown): Promise<WholeDocument | null> =>
  model.collection.findOne({ _id: id as never }, { promoteBuffers: true, bsonRegExp: true });

const MAX_ATTEMPTS = 10;

/**
 * Calls `attempt` with a document, and again with the stored document as long as `attempt` returns undefined because
 * another process has changed the document in the meantime. Returns the result of `attempt`; undefined if the document
 * no longer exists. Throws after 10 attempts.
 */
export const retryWhileChanged = async <Result>(
  model: AnyModel,
  document: WholeDocument | null,
  attempt: (document: WholeDocument) => Promise<Result | undefined>,
): Promise<Result | undefined> => {
  let current = document;
  for (let left = MAX_ATTEMPTS; current && left > 0; left -= 1) {
    const result = await attempt(current);
    if (result !== undefined) return result;
    current = await readWhole(model, current._id);
  }
  if (current) throw new Error(`${model.modelName} ${String(current._id)} keeps changing; run the command again`);
  return undefined;
};

/** Deletes documents by their ids, without events. */
export const deleteDocuments = async (model: AnyModel, ids: unknown[]): Promise<number> => {
  if (!ids.length) return 0;
  const { deletedCount } = await model.collection.deleteMany({ _id: { $in: ids as never[] } });
  return deletedCount;
};

/**
 * Sets fields of a document and its search keywords, without events. Events of the document that are not yet relayed
 * are dropped if `changes` contains `_events`. Returns false, and changes nothing, if the document no longer exists or
 * its `__v` has changed.
 */
export const overwriteFields = async (
  model: AnyModel,
  { document, changes }: { document: WholeDocument; changes: Fields },
  session?: ClientSession,
): Promise<boolean> => {
  const { _events, ...set } = changes;
  const keywords = keywordsOf(model, { ...document, ...changes });
  const update = {
    ...(Object.keys(set).length && { $set: { ...set, ...keywords } }),
    ...(_events !== undefined && { $unset: { _events: '' } }),
    ...(typeof document.__v === 'number' && { $inc: { __v: 1 } }),
  };
  const version = typeof document.__v === 'number' ? { __v: document.__v } : {};
  const filter = { _id: document._id as never, ...version };
  const { matchedCount } = await model.collection.updateOne(filter, update, { session });
  return matchedCount === 1;
};
