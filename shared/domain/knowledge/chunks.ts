/** The passages of contents: the truth in MongoDB and the index derived from it, always written in this order. */
import { createHash } from 'node:crypto';
import { type Embedder, embedder } from '../../embedding/embedder.ts';
import { KbChunk } from '../../models/kb-chunk.ts';
import { KbContent } from '../../models/kb-content.ts';
import { KbNamespace } from '../../models/kb-namespace.ts';
import type { Chunk } from '../../parsing/pool.ts';
import { type ChunkIndex, chunkIndex, IndexLost, type Row, type Space } from '../../vectors/index.ts';
import type { Attempt } from './attempts.ts';

const sha = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 40);

/** What a model reads and a search matches: the way to the passage, then the passage. */
export const embeddedText = ({ headings, text }: { headings: string[]; text: string }): string =>
  [headings.join(' > '), text].filter(Boolean).join('\n');

/** One value for all of a content's passages: the same hash, the same knowledge. */
export const hashOf = (chunks: Chunk[]): string => sha(JSON.stringify(chunks.map(embeddedText)));

/** Where a namespace's passages are searched, with the model of now. */
export const spaceOf = ({ id_project, namespace }: { id_project: string; namespace: string }): Space => ({
  project: id_project,
  namespace,
  dimension: embedder()?.dimension ?? null,
});

interface Place {
  id_project: string;
  namespace: string;
}

/** Forget where a namespace was indexed, so that the next sweep fills its index anew. */
export const lost = async ({ id_project, namespace }: Place): Promise<void> => {
  await KbNamespace.updateOne({ id_project, id: namespace }, { $set: { index: '' } });
};

/** Work on the index of a namespace; its loss is noted before it is told. */
const noticing = async (where: Place, work: (index: ChunkIndex, space: Space) => Promise<void>): Promise<void> => {
  try {
    await work(chunkIndex(), spaceOf(where));
  } catch (error) {
    if (error instanceof IndexLost) await lost(where);
    throw error;
  }
};

const bytesOf = (vector: Float32Array): Buffer => Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);

/** A stored vector as numbers. */
export const vectorOf = (stored: { buffer: Uint8Array } | Uint8Array | null | undefined): Float32Array | null => {
  if (!stored) return null;
  const bytes = Uint8Array.from(stored instanceof Uint8Array ? stored : stored.buffer);
  return new Float32Array(bytes.buffer);
};

const knownVectors = async (
  { id_project, content, current }: Attempt,
  model: Embedder,
): Promise<Map<string, Float32Array>> => {
  if (!current) return new Map();
  const old = await KbChunk.find(
    { id_project, content, attempt: current, model: model.name },
    { hash: 1, vector: 1 },
  ).lean();
  return new Map(
    old.flatMap(({ hash, vector }) => (vector ? [[hash, vectorOf(vector)]] : []) as [string, Float32Array][]),
  );
};

/** A vector for each text; one that the content had already is not made again. */
const vectorsFor = async (attempt: Attempt, texts: string[], signal: AbortSignal): Promise<(Float32Array | null)[]> => {
  const model = embedder();
  if (!model) return texts.map(() => null);
  const known = await knownVectors(attempt, model);
  const fresh = [...new Set(texts.filter((text) => !known.has(sha(text))))];
  const made = await model.embed(fresh, { project: attempt.id_project, signal });
  fresh.forEach((text, index) => known.set(sha(text), made[index] as Float32Array));
  return texts.map((text) => known.get(sha(text)) ?? null);
};

/** Embed and store the passages under the attempt's id; nobody sees them before the content switches to it. */
export const store = async (attempt: Attempt, chunks: Chunk[], signal: AbortSignal): Promise<void> => {
  if (!chunks.length) return;
  const { id, id_project, namespace, content } = attempt;
  const texts = chunks.map(embeddedText);
  const vectors = await vectorsFor(attempt, texts, signal);
  const model = embedder()?.name ?? '';
  const records = chunks.map(({ headings, text, tokens }, index) => ({
    _id: sha(`${content}:${id}:${index}`),
    id_project,
    namespace,
    content,
    attempt: id,
    index,
    headings,
    text,
    tokens,
    hash: sha(texts[index] as string),
    model,
    ...(vectors[index] ? { vector: bytesOf(vectors[index]) } : {}),
  }));
  await KbChunk.insertMany(records, { lean: true });
  const rows = records.map(({ _id }, index) => ({
    id: _id,
    content,
    attempt: id,
    text: texts[index] as string,
    vector: vectors[index] ?? null,
  }));
  await noticing(attempt, (index, space) => index.add(space, rows));
};

/** Where attempts of contents left passages. */
export interface Remains {
  id_project: string;
  namespace: string;
  attempts: string[];
}

/**
 * Remove every passage of these attempts: from MongoDB first, so that whoever writes to the index meanwhile and then
 * looks whether MongoDB still knows the passage can not miss this. A lost index is filled without them.
 */
export const removeAttempts = async ({ id_project, namespace, attempts }: Remains): Promise<void> => {
  if (!attempts.length) return;
  await KbChunk.deleteMany({ id_project, namespace, attempt: { $in: attempts } });
  try {
    await noticing({ id_project, namespace }, (index, space) => index.removeAttempts(space, attempts));
  } catch (error) {
    if (!(error instanceof IndexLost)) throw error;
  }
};

/** Add to the index what MongoDB holds already; what was removed from there meanwhile is taken out again. */
export const addToIndex = async (where: Place, rows: Row[]): Promise<void> => {
  await noticing(where, (index, space) => index.add(space, rows));
  const ids = rows.map(({ id }) => id);
  const known = await KbChunk.find({ id_project: where.id_project, _id: { $in: ids } }, { _id: 1 }).lean();
  if (known.length === rows.length) return;
  const left = new Set(known.map(({ _id }) => _id));
  const gone = rows.filter(({ id }) => !left.has(id)).map(({ attempt }) => attempt);
  await noticing(where, (index, space) => index.removeAttempts(space, [...new Set(gone)]));
};

const PAGE = 500;

/** The stored passages of a namespace as rows of an index, in batches, at no embedding call. */
export async function* rowsOf(id_project: string, namespace: string): AsyncGenerator<Row[]> {
  const model = embedder()?.name;
  const fields = { content: 1, attempt: 1, headings: 1, text: 1, vector: 1, model: 1 };
  const cursor = KbChunk.find({ id_project, namespace }, fields).lean().cursor({ batchSize: PAGE });
  const rows: Row[] = [];
  for await (const chunk of cursor) {
    const { _id, content, attempt } = chunk;
    rows.push({
      id: _id,
      content,
      attempt,
      text: embeddedText(chunk),
      vector: chunk.model === model ? vectorOf(chunk.vector) : null,
    });
    if (rows.length >= PAGE) yield rows.splice(0);
  }
  if (rows.length) yield rows;
}

/** Give a content's passages the vectors of the model of now. */
export const embedStored = async (
  content: { id: string; id_project: string; namespace: string; current: string },
  model: Embedder,
): Promise<void> => {
  const { id, id_project, current } = content;
  const without = await KbChunk.find(
    { id_project, content: id, attempt: current, model: { $ne: model.name } },
    { headings: 1, text: 1 },
  ).lean();
  if (!without.length) return;
  const texts = without.map(embeddedText);
  const vectors = await model.embed(texts, { project: id_project });
  await KbChunk.bulkWrite(
    without.map(({ _id }, index) => ({
      updateOne: {
        filter: { _id, id_project },
        update: { $set: { vector: bytesOf(vectors[index] as Float32Array), model: model.name } },
      },
    })) as never,
  );
  const rows = without.map(({ _id }, index) => ({
    id: _id,
    content: id,
    attempt: current,
    text: texts[index] as string,
    vector: vectors[index] as Float32Array,
  }));
  await addToIndex(content, rows);
};

/** The passages of a content that are searched now, in their order. */
export const chunksOf = async (id_project: string, content: string): Promise<{ id: string; text: string }[]> => {
  const known = await KbContent.findOne({ _id: content, id_project }, { current: 1 }).lean();
  if (!known?.current) return [];
  const chunks = await KbChunk.find({ id_project, content, attempt: known.current }, { headings: 1, text: 1 })
    .sort({ index: 1 })
    .lean();
  return chunks.map((chunk) => ({ id: chunk._id, text: embeddedText(chunk) }));
};
