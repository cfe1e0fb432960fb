import { hash } from 'node:crypto';
import type { QdrantClient } from '@qdrant/js-client-rest';
import { checkAttempts, checkProject, checkQuestion, checkRows, checkSpace } from './checks.ts';
import type { ChunkIndex, Hit, Hits, Question, Row, Space } from './chunk-index.ts';
import { QdrantCollections, vectorName, WORDS } from './qdrant-collections.ts';
import { insist } from './qdrant-call.ts';
import { weightsOf, wordsOf } from './terms.ts';

const ROWS_A_CALL = 200;
const IDS_A_CALL = 1_000;
const WRITE_TIMEOUT = 30_000;
/** A question is answered or refused within two seconds, the second try included (ms). */
const READ_TIMEOUT = 900;
const WRITE_TRIES = 5;
const READ_TRIES = 2;
const LEAST_EF = 128;

/** Where the server is. */
export interface QdrantOptions {
  url: string;
  apiKey?: string;
  /** Stands before the names of all collections. */
  prefix?: string;
}

interface Payload {
  id: string;
  content: string;
  attempt: string;
}

/** Qdrant takes numbers and UUIDs as ids. */
function uuidOf(id: string): string {
  const hex = hash('sha256', id);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}

const dense = (vector: Float32Array | null) => (vector ? { [vectorName(vector.length)]: Array.from(vector) } : {});

const pointOf = ({ id, content, attempt, text, vector }: Row) => ({
  id: uuidOf(id),
  payload: { id, content, attempt },
  vector: { [WORDS]: weightsOf(text), ...dense(vector) },
});

const hitOf = ({ payload, score }: { payload?: unknown; score: number }): Hit => ({ ...(payload as Payload), score });

const anyOf = (key: string, values: string[]) => ({ must: [{ key, match: { any: values } }] });

const pages = <T>(items: T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, page) => items.slice(page * size, (page + 1) * size));

/** Chunks on a Qdrant server, for several hosts. */
class QdrantIndex implements ChunkIndex {
  readonly name = 'qdrant';
  readonly type: string;
  #options: QdrantOptions;
  #opening: Promise<{ reader: QdrantClient; collections: QdrantCollections }> | undefined;

  constructor(options: QdrantOptions) {
    this.#options = options;
    this.type = `Qdrant at ${new URL(options.url).host}`;
  }

  async add(space: Space, rows: Row[]): Promise<void> {
    checkSpace(space);
    checkRows(space, rows);
    const { collections } = await this.#open();
    for (const page of pages(rows, ROWS_A_CALL)) {
      const points = page.map(pointOf);
      await collections.write(space, (client, name) => client.upsert(name, { points, wait: true }));
    }
  }

  async removeAttempts(space: Space, attempts: string[]): Promise<void> {
    checkSpace(space);
    checkAttempts(attempts);
    const { collections } = await this.#open();
    await collections.change(space, (client, name) =>
      client.delete(name, { filter: anyOf('attempt', attempts), wait: true }),
    );
  }

  async drop(space: Space): Promise<void> {
    checkSpace(space);
    await (await this.#open()).collections.drop(space);
  }

  async dropProject(project: string): Promise<void> {
    checkProject(project);
    await (await this.#open()).collections.dropProject(project);
  }

  async search(space: Space, question: Question): Promise<Hits> {
    checkSpace(space);
    checkQuestion(space, question);
    const { reader, collections } = await this.#open();
    const words = wordsOf(question.text ?? '');
    const byText = words.indices.length > 0 && { query: words, using: WORDS };
    const byVector = question.vector && (await this.#byVector(space, question));
    const asked = [byText, byVector].filter((query) => query !== false && query !== undefined);
    if (asked.length === 0 || question.contents?.length === 0) return { text: [], vector: [] };
    const common = {
      limit: question.limit,
      with_payload: true,
      ...(question.contents && { filter: anyOf('content', question.contents) }),
    };
    const searches = asked.map((query) => ({ ...query, ...common }));
    const ask = () => insist(READ_TRIES, () => reader.queryBatch(collections.nameOf(space), { searches }));
    const answers = await collections.found(space, ask);
    const hits = (answers ?? []).map(({ points }) => points.map(hitOf));
    return { text: (byText && hits.shift()) || [], vector: hits.shift() ?? [] };
  }

  async *ids(space: Space): AsyncIterable<string> {
    checkSpace(space);
    const { collections } = await this.#open();
    for (let offset: unknown; offset !== null; ) {
      const page = await collections.change(space, (client, name) =>
        client.scroll(name, { limit: IDS_A_CALL, with_payload: ['id'], ...(offset ? { offset: String(offset) } : {}) }),
      );
      for (const { payload } of page?.points ?? []) yield (payload as unknown as Payload).id;
      offset = page?.next_page_offset ?? null;
    }
  }

  /** The server tidies itself, and an id is never there twice. */
  async maintain(space: Space): Promise<void> {
    checkSpace(space);
  }

  async ready(): Promise<void> {
    const { reader } = await this.#open();
    await insist(READ_TRIES, () => reader.getCollections());
  }

  async close(): Promise<void> {}

  async #byVector(space: Space, { vector = new Float32Array(), limit }: Question) {
    if (space.dimension === null) return undefined;
    const { collections } = await this.#open();
    if (!(await collections.hasDimension(space))) return undefined;
    const params = { hnsw_ef: Math.max(LEAST_EF, limit * 2) };
    return { query: Array.from(vector), using: vectorName(space.dimension), params };
  }

  async #open() {
    this.#opening ??= this.#connect();
    return this.#opening;
  }

  async #connect() {
    const { QdrantClient } = await import('@qdrant/js-client-rest');
    const { url, apiKey, prefix = 'chunks' } = this.#options;
    const client = (timeout: number) => new QdrantClient({ url, apiKey, timeout, checkCompatibility: false });
    const collections = new QdrantCollections(client(WRITE_TIMEOUT), prefix, WRITE_TRIES);
    return { reader: client(READ_TIMEOUT), collections };
  }
}

/** The index on that server. */
export const qdrantIndex = (options: QdrantOptions): ChunkIndex => new QdrantIndex(options);
