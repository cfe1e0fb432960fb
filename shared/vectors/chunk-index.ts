/**
 * The interface of a chunk index. The index is derived from MongoDB. If it is lost, it can be rebuilt at any time
 * without embedding calls.
 */
import { hash } from 'node:crypto';
import { AppError } from '#shared/errors.ts';

/**
 * One namespace of one project, and the vectors of one embedding model in it: their dimension (`null`: full text only)
 * and the name of the model. Each model's vectors are stored separately, because vectors of different models are not
 * comparable.
 */
export interface IndexSpace {
  project: string;
  namespace: string;
  dimension: number | null;
  model?: string;
}

/** A stored row: the id of a chunk, and the attempt that wrote it. */
export interface IndexEntry {
  id: string;
  attemptId: string;
}

/**
 * Part of the identity of an index. Increase it when names of tables or vectors change, so that old data is not used.
 */
export const LAYOUT_VERSION = 2;

/**
 * Returns a name for the vectors of the space's model. It is part of the names of LanceDB tables and Qdrant vectors.
 */
export const vectorsName = ({ dimension, model }: Pick<IndexSpace, 'dimension' | 'model'>): string =>
  model ? `${dimension}_${hash('sha256', model).slice(0, 12)}` : String(dimension);

/** One chunk to index; `vector` is `null` if there was no model. */
export interface IndexRow {
  id: string;
  content: string;
  attemptId: string;
  text: string;
  vector: Float32Array | null;
}

/** One hit. A higher score is better: BM25 in `text`, cosine similarity in `vector`. */
export interface ChunkHit {
  id: string;
  content: string;
  attemptId: string;
  score: number;
}

/** A query; `contents` limits the hits to chunks of these contents. */
export interface IndexQuery {
  text?: string;
  vector?: Float32Array;
  limit: number;
  contents?: string[];
}

/** A query for one word. */
export type WordQuery = IndexQuery & { text: string };

/** The hits of the full-text search and of the vector search, each best first and without duplicates. */
export interface ChunkHits {
  text: ChunkHit[];
  vector: ChunkHit[];
}

/** The chunks that contain a word: the best BM25 score (0 without chunks), and the number of chunks of each content. */
export interface WordMatches {
  score: number;
  chunksByContent: ReadonlyMap<string, number>;
}

/** Returns the number of chunks that contain a word. */
export const chunkCountOf = ({ chunksByContent }: WordMatches): number =>
  chunksByContent.values().reduce((sum, count) => sum + count, 0);

/** Counts the hits of a full-text search for one word, by content. `hits` are sorted, best first. */
export function toWordMatches(hits: Pick<ChunkHit, 'content' | 'score'>[]): WordMatches {
  const chunksByContent = new Map<string, number>();
  for (const { content } of hits) chunksByContent.set(content, (chunksByContent.get(content) ?? 0) + 1);
  return { score: hits[0]?.score ?? 0, chunksByContent };
}

/**
 * A chunk index. Its methods throw `IndexMissingError` if the namespace must be rebuilt, and `IndexUnavailableError`
 * after any other failure of the store (see report-unavailable.ts).
 */
export interface ChunkIndex {
  readonly name: 'lancedb' | 'qdrant';
  /** A description for people: the engine and its location. */
  readonly type: string;
  /** Adds rows. A search returns a chunk once even if it was added twice; the later row may add a missing vector. */
  add(space: IndexSpace, rows: IndexRow[]): Promise<void>;
  /**
   * Adds vectors of the space's model to rows that were added before, and does not change the rows. For a row that is
   * not in the index, the vector is skipped (Qdrant) or stored (LanceDB); a caller ignores hits of deleted chunks.
   */
  addVectors(space: IndexSpace, rows: IndexRow[]): Promise<void>;
  /** Removes the vectors of the space's model. Rows and vectors of other models are kept. */
  dropVectors(space: IndexSpace): Promise<void>;
  /** Removes all rows of these attempts, with the vectors of all models. */
  removeAttempts(space: IndexSpace, attemptIds: string[]): Promise<void>;
  /** Removes the namespace, with the vectors of all models. */
  drop(space: IndexSpace): Promise<void>;
  dropProject(project: string): Promise<void>;
  search(space: IndexSpace, question: IndexQuery): Promise<ChunkHits>;
  /**
   * Counts, by content, the best `limit` chunks with a word. Faster than `search`, but a row that was added twice may
   * count twice until `maintain` removes it.
   */
  countMatches(space: IndexSpace, word: WordQuery): Promise<WordMatches>;
  /** Yields every stored chunk once, for the comparison with MongoDB. */
  entries(space: IndexSpace): AsyncIterable<IndexEntry>;
  /** Removes duplicate rows and compacts the files. Slow: call it from a job, not from a request. */
  maintain(space: IndexSpace): Promise<void>;
  /** Returns an id that is stored with the data. If it differs from an earlier result, the old data has been lost. */
  identity(): Promise<string>;
  /** Resolves if a write would succeed, and rejects otherwise. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

const RETRY_AFTER = { headers: { 'Retry-After': '5' } };

/**
 * 503: the index of a namespace is missing or unreadable. Its remains have been deleted; rebuild it from MongoDB with
 * `drop` and `add`.
 */
export class IndexMissingError extends AppError {
  readonly project: string;
  readonly namespace: string;

  constructor(space: { project: string; namespace: string }, options?: ErrorOptions) {
    super(503, 'INDEX_REBUILDING', 'The knowledge base is being rebuilt; try again shortly');
    this.with(RETRY_AFTER).cause = options?.cause;
    this.project = space.project;
    this.namespace = space.namespace;
  }
}

/** 503: LanceDB or Qdrant has failed, for whatever reason, or has not answered. A later call may succeed. */
export class IndexUnavailableError extends AppError {
  constructor(options?: ErrorOptions) {
    super(503, 'INDEX_UNAVAILABLE', 'The knowledge base is unavailable; try again shortly');
    this.with(RETRY_AFTER).cause = options?.cause;
  }
}
