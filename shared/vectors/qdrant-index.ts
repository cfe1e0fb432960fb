/** The chunk index on a Qdrant server. */
import {
  type ChunkHits,
  type ChunkIndex,
  type IndexEntry,
  type IndexQuery,
  type IndexRow,
  type IndexSpace,
  toWordMatches,
  type WordMatches,
  type WordQuery,
} from './chunk-index.ts';
import { QdrantCollections } from './qdrant-collections.ts';
import { matchAny, textQuery, toHit, toPoint, toVectors, vectorQuery } from './qdrant-points.ts';
import { reportUnavailable } from './report-unavailable.ts';
import { checkAttemptIds, checkProject, checkQuery, checkRows, checkSpace } from './validate.ts';

const ROWS_PER_CALL = 200;
const IDS_PER_CALL = 1_000;
/** A call to a hung server ends after this time. `withRetry` does not repeat it: it repeats only faster failures. */
const WRITE_TIMEOUT_MS = 10_000;
/** Short enough for a search and its retry to end within two seconds. */
const READ_TIMEOUT_MS = 800;

/** The address of a Qdrant server, and the names of our collections on it. */
export interface QdrantOptions {
  url: string;
  apiKey?: string;
  /** The prefix of all collection names; `chunks` by default. */
  prefix?: string;
}

const toPages = <T>(items: T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, page) => items.slice(page * size, (page + 1) * size));

/** Stores chunks on a Qdrant server, which several hosts can share. */
class QdrantIndex implements ChunkIndex {
  readonly name = 'qdrant';
  readonly type: string;
  #options: QdrantOptions;
  #connection: Promise<QdrantCollections> | undefined;

  constructor(options: QdrantOptions) {
    this.#options = options;
    this.type = `Qdrant at ${new URL(options.url).host}`;
  }

  async add(space: IndexSpace, rows: IndexRow[]): Promise<void> {
    checkSpace(space);
    checkRows(space, rows);
    const collections = await this.#collections();
    for (const page of toPages(rows, ROWS_PER_CALL)) {
      const points = page.map((row) => toPoint(space, row));
      await collections.write(space, (client, name) => client.upsert(name, { points, wait: true }));
    }
  }

  async addVectors(space: IndexSpace, rows: IndexRow[]): Promise<void> {
    checkSpace(space);
    checkRows(space, rows);
    const collections = await this.#collections();
    const points = rows.filter((row) => row.vector).map((row) => toVectors(space, row));
    for (const page of toPages(points, ROWS_PER_CALL)) await collections.updateVectors(space, page);
  }

  async dropVectors(space: IndexSpace): Promise<void> {
    checkSpace(space);
    if (space.dimension !== null) await (await this.#collections()).dropVectors(space);
  }

  async removeAttempts(space: IndexSpace, attemptIds: string[]): Promise<void> {
    checkSpace(space);
    checkAttemptIds(attemptIds);
    if (attemptIds.length === 0) return;
    const collections = await this.#collections();
    await collections.writeIfPresent(space, (client, name) =>
      client.delete(name, { filter: matchAny('attemptId', attemptIds), wait: true }),
    );
  }

  async drop(space: IndexSpace): Promise<void> {
    checkSpace(space);
    await (await this.#collections()).drop(space);
  }

  async dropProject(project: string): Promise<void> {
    checkProject(project);
    await (await this.#collections()).dropProject(project);
  }

  async search(space: IndexSpace, question: IndexQuery): Promise<ChunkHits> {
    checkSpace(space);
    checkQuery(space, question);
    if (question.contents?.length === 0) return { text: [], vector: [] };
    const queries = await this.#buildQueries(space, question);
    if (queries.length === 0) return { text: [], vector: [] };
    const searches = queries.map(({ query }) => query);
    const answers = await (await this.#collections()).read(space, (client, name) =>
      client.queryBatch(name, { searches }),
    );
    const hitsOf = (kind: keyof ChunkHits) =>
      answers?.[queries.findIndex((query) => query.kind === kind)]?.points.map(toHit) ?? [];
    return { text: hitsOf('text'), vector: hitsOf('vector') };
  }

  async countMatches(space: IndexSpace, word: WordQuery): Promise<WordMatches> {
    return toWordMatches((await this.search(space, word)).text);
  }

  async *entries(space: IndexSpace): AsyncIterable<IndexEntry> {
    checkSpace(space);
    const collections = await this.#collections();
    for (let offset: unknown; offset !== null; ) {
      const page = await collections.writeIfPresent(space, (client, name) =>
        client.scroll(name, {
          limit: IDS_PER_CALL,
          with_payload: ['id', 'attemptId'],
          ...(offset ? { offset: String(offset) } : {}),
        }),
      );
      for (const { payload } of page?.points ?? [])
        yield { id: String(payload?.id), attemptId: String(payload?.attemptId) };
      offset = page?.next_page_offset ?? null;
    }
  }

  /** Nothing to do: the server compacts its data by itself, and a repeated row replaces the point that has its id. */
  async maintain(space: IndexSpace): Promise<void> {
    checkSpace(space);
  }

  async identity(): Promise<string> {
    return (await this.#collections()).identity();
  }

  async ready(): Promise<void> {
    await (await this.#collections()).ready();
  }

  async close(): Promise<void> {}

  /**
   * Builds the queries of a search. Omits the vector query if the collection has no vectors of the embedding
   * model in `space`: both queries are sent in one call, which would fail.
   */
  async #buildQueries(space: IndexSpace, question: IndexQuery) {
    const text = textQuery(question);
    const vector = space.dimension === null ? undefined : vectorQuery(space, question);
    const hasVectors = vector && (await (await this.#collections()).hasVectors(space));
    return [
      ...(text ? [{ kind: 'text', query: text }] : []),
      ...(hasVectors ? [{ kind: 'vector', query: vector }] : []),
    ];
  }

  async #collections() {
    this.#connection ??= this.#connect();
    return this.#connection;
  }

  async #connect() {
    const { QdrantClient } = await import('@qdrant/js-client-rest');
    const { url, apiKey, prefix = 'chunks' } = this.#options;
    const connect = (timeout: number) => new QdrantClient({ url, apiKey, timeout, checkCompatibility: false });
    return new QdrantCollections({ reader: connect(READ_TIMEOUT_MS), writer: connect(WRITE_TIMEOUT_MS) }, prefix);
  }
}

/** Returns the index on a Qdrant server. */
export const qdrantIndex = (options: QdrantOptions): ChunkIndex => reportUnavailable(new QdrantIndex(options));
