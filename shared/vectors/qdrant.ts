import { checkAttempts, checkProject, checkQuestion, checkRows, checkSpace } from './checks.ts';
import type { ChunkIndex, Hits, Question, Row, Space } from './chunk-index.ts';
import { QdrantCollections } from './qdrant-collections.ts';
import { anyOf, hitOf, pointOf, queryOfText, queryOfVector } from './qdrant-points.ts';

const ROWS_A_CALL = 200;
const IDS_A_CALL = 1_000;
const WRITE_TIMEOUT = 30_000;
/** A question is answered or refused within two seconds, the second try included (ms). */
const READ_TIMEOUT = 800;

/** Where the server is. */
export interface QdrantOptions {
  url: string;
  apiKey?: string;
  /** Stands before the names of all collections. */
  prefix?: string;
}

const pages = <T>(items: T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, page) => items.slice(page * size, (page + 1) * size));

/** Chunks on a Qdrant server, for several hosts. */
class QdrantIndex implements ChunkIndex {
  readonly name = 'qdrant';
  readonly type: string;
  #options: QdrantOptions;
  #opening: Promise<QdrantCollections> | undefined;

  constructor(options: QdrantOptions) {
    this.#options = options;
    this.type = `Qdrant at ${new URL(options.url).host}`;
  }

  async add(space: Space, rows: Row[]): Promise<void> {
    checkSpace(space);
    checkRows(space, rows);
    const collections = await this.#open();
    for (const page of pages(rows, ROWS_A_CALL)) {
      const points = page.map(pointOf);
      await collections.write(space, (client, name) => client.upsert(name, { points, wait: true }));
    }
  }

  async removeAttempts(space: Space, attempts: string[]): Promise<void> {
    checkSpace(space);
    checkAttempts(attempts);
    const collections = await this.#open();
    await collections.change(space, (client, name) =>
      client.delete(name, { filter: anyOf('attempt', attempts), wait: true }),
    );
  }

  async drop(space: Space): Promise<void> {
    checkSpace(space);
    await (await this.#open()).drop(space);
  }

  async dropProject(project: string): Promise<void> {
    checkProject(project);
    await (await this.#open()).dropProject(project);
  }

  async search(space: Space, question: Question): Promise<Hits> {
    checkSpace(space);
    checkQuestion(space, question);
    if (question.contents?.length === 0) return { text: [], vector: [] };
    const queries = await this.#queriesOf(space, question);
    if (queries.length === 0) return { text: [], vector: [] };
    const searches = queries.map(({ query }) => query);
    const answers = await (await this.#open()).read(space, (client, name) => client.queryBatch(name, { searches }));
    const hitsBy = (by: keyof Hits) =>
      answers?.[queries.findIndex((query) => query.by === by)]?.points.map(hitOf) ?? [];
    return { text: hitsBy('text'), vector: hitsBy('vector') };
  }

  async *ids(space: Space): AsyncIterable<string> {
    checkSpace(space);
    const collections = await this.#open();
    for (let offset: unknown; offset !== null; ) {
      const page = await collections.change(space, (client, name) =>
        client.scroll(name, { limit: IDS_A_CALL, with_payload: ['id'], ...(offset ? { offset: String(offset) } : {}) }),
      );
      for (const { payload } of page?.points ?? []) yield String(payload?.id);
      offset = page?.next_page_offset ?? null;
    }
  }

  /** The server tidies itself, and an id is never there twice. */
  async maintain(space: Space): Promise<void> {
    checkSpace(space);
  }

  async identity(): Promise<string> {
    return (await this.#open()).identity();
  }

  async ready(): Promise<void> {
    await (await this.#open()).ready();
  }

  async close(): Promise<void> {}

  /** A vector the collection does not know fails the whole question, so it is left out. */
  async #queriesOf(space: Space, question: Question) {
    const text = queryOfText(question);
    const vector = space.dimension === null ? undefined : queryOfVector(question);
    const known = vector && (await (await this.#open()).hasDimension(space));
    return [...(text ? [{ by: 'text', query: text }] : []), ...(known ? [{ by: 'vector', query: vector }] : [])];
  }

  async #open() {
    this.#opening ??= this.#connect();
    return this.#opening;
  }

  async #connect() {
    const { QdrantClient } = await import('@qdrant/js-client-rest');
    const { url, apiKey, prefix = 'chunks' } = this.#options;
    const client = (timeout: number) => new QdrantClient({ url, apiKey, timeout, checkCompatibility: false });
    return new QdrantCollections({ reader: client(READ_TIMEOUT), writer: client(WRITE_TIMEOUT) }, prefix);
  }
}

/** The index on that server. */
export const qdrantIndex = (options: QdrantOptions): ChunkIndex => new QdrantIndex(options);
