/**
 * A namespace with many chunks, and questions about them. The texts are variations of the chunks of two sites in
 * test/data; the vectors are generated. Everything is stored by the code of the product.
 */
import { readFileSync } from 'node:fs';
import { Types } from 'mongoose';
import { ulid } from 'ulid';
import { chunkIdOf, embeddedText, indexSpaceOf, type NamespaceKey } from '#shared/domain/knowledge/indexing/chunks.ts';
import { addToVocabulary } from '#shared/domain/knowledge/indexing/vocabulary.ts';
import type { Embedder } from '#shared/embedding/embedder.ts';
import { KbChunk } from '#shared/models/kb-chunk.ts';
import { CONTENT_STATUS, KbContent } from '#shared/models/kb-content.ts';
import { KbNamespace } from '#shared/models/kb-namespace.ts';
import { parsePage } from '#shared/parsing/parse-page.ts';
import type { Chunk } from '#shared/parsing/parsing-pool.ts';
import { chunkIndex } from '#shared/vectors/index.ts';
import { encodeVector, normalize } from '#shared/vectors/vector.ts';
import { seededRandom } from '../../../scripts/seed/seeded-random.ts';
import { hex } from '../../support/chunk-rows.ts';
import { questionsOf } from '../../support/question-set.ts';

const SITES = ['help-centre/site.json', 'sites-18/shop/site.json'];
const QUESTION_SETS = [
  'python-docs/tuning.json',
  'python-docs/own-tuning.json',
  'sites-18/docs/tuning.json',
  'help-centre/questions.json',
  'sites-18/shop/tuning.json',
];
const CHUNK_TOKENS = 200;
const CHUNKS_PER_CONTENT = 10;
const CONTENTS_PER_BATCH = 200;
/** The share of words that a variation replaces with words of the sites, drawn in proportion to their frequency. */
const REPLACED_SHARE = 0.3;
const DIMENSION = 384;
const CLUSTERS = 3000;
/**
 * A vector is the centre of a cluster, of norm 1, plus noise of this norm. The cosine of two vectors in a cluster
 * is about 0.6.
 */
const NOISE = 0.8;

const random = seededRandom(18);
const anyOf = <T>(items: T[]): T => items[Math.floor(random() * items.length)] as T;

const gaussian = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

const randomDirection = (length: number): Float32Array =>
  Float32Array.from({ length: DIMENSION }, () => (gaussian() * length) / Math.sqrt(DIMENSION));

const centres = Array.from({ length: CLUSTERS }, () => randomDirection(1));

/** A vector near the centre of a random cluster. */
const aVector = (): Float32Array => {
  const centre = anyOf(centres);
  const vector = randomDirection(NOISE);
  return normalize(vector.map((value, index) => value + (centre[index] as number)));
};

/** Returns generated vectors immediately, so that the time of the model is not part of any measurement. */
export const generatingEmbedder: Embedder = {
  provider: 'openai',
  name: 'generated',
  dimension: DIMENSION,
  embed: async (texts) => texts.map(aVector),
  close: async () => {},
};

const readChunks = async (): Promise<Chunk[]> => {
  const chunks: Chunk[] = [];
  for (const file of SITES) {
    const site = JSON.parse(readFileSync(new URL(`../../data/${file}`, import.meta.url), 'utf8'));
    for (const [path, html] of Object.entries(site as Record<string, string>)) {
      const input = { body: Buffer.from(html), contentType: 'text/html; charset=utf-8', url: `https://a.test${path}` };
      chunks.push(...(await parsePage(input, CHUNK_TOKENS)).chunks);
    }
  }
  return chunks;
};

const varied = ({ text, ...rest }: Chunk, words: string[]): Chunk => ({
  ...rest,
  text: text.replace(/\p{L}{3,}/gu, (word) => (random() < REPLACED_SHARE ? anyOf(words) : word)),
});

interface StoredContent {
  _id: Types.ObjectId;
  publishedAttemptId: string;
}

/** Stores the chunks of these contents in MongoDB and in the index, in one batch. */
const storeBatch = async (namespaceKey: NamespaceKey, contents: StoredContent[], nextChunks: () => Chunk[]) => {
  const records = contents.flatMap(({ _id, publishedAttemptId: attemptId }) => {
    const content = String(_id);
    return nextChunks().map((chunk, index) => ({
      ...{ _id: chunkIdOf({ content, attemptId }, index), ...namespaceKey, content, attemptId, index, ...chunk },
      ...{ hash: hex(40), model: generatingEmbedder.name, vector: aVector() },
    }));
  });
  const texts = records.map(embeddedText);
  await KbChunk.insertMany(
    records.map((record) => ({ ...record, vector: encodeVector(record.vector) })),
    { lean: true },
  );
  await addToVocabulary(namespaceKey, texts);
  await chunkIndex().add(
    indexSpaceOf(namespaceKey),
    records.map(({ _id: id, ...record }, index) => ({ ...record, id, text: texts[index] as string })),
  );
};

/** Creates a namespace with `count` chunks. The configured embedder must be `generatingEmbedder`. */
export const aLargeNamespace = async (count: number): Promise<NamespaceKey> => {
  const namespaceKey = { id_project: hex(24), namespace: hex(24) };
  await KbNamespace.create({
    id_project: namespaceKey.id_project,
    id: namespaceKey.namespace,
    name: 'large',
    preview_settings: {},
  });
  const base = await readChunks();
  const words = base.flatMap(({ text }) => text.match(/\p{L}{3,}/gu) ?? []);
  let next = 0;
  const nextChunks = () =>
    Array.from({ length: CHUNKS_PER_CONTENT }, () => varied(base[next++ % base.length] as Chunk, words));
  for (let done = 0; done < count; done += CHUNKS_PER_CONTENT * CONTENTS_PER_BATCH) {
    const contents = Array.from({ length: CONTENTS_PER_BATCH }, () => ({
      ...{ _id: new Types.ObjectId(), ...namespaceKey, type: 'url', status: CONTENT_STATUS.indexed },
      ...{ source: `https://a.test/${hex(8)}`, name: 'A page', publishedAttemptId: ulid(), chunks: CHUNKS_PER_CONTENT },
    }));
    await KbContent.insertMany(contents);
    await storeBatch(namespaceKey, contents, nextChunks);
  }
  await chunkIndex().maintain(indexSpaceOf(namespaceKey));
  return namespaceKey;
};

/**
 * The questions of all question sets: first those about other sites, which have no answer in the namespace, then those
 * about the sites whose texts it contains.
 */
export const largeNamespaceQuestions = (): string[] =>
  QUESTION_SETS.flatMap((file) => questionsOf(file)).map(({ question }) => question);
