/**
 * The interface of a chunk index. The index is derived from MongoDB. If it is lost, it can be rebuilt at any time
 * without embedding calls.
 */
import { AppError } from '#shared/errors.ts';

/** One namespace of one project, and the dimension of its model's vectors (`null`: no model, full text only). */
export interface IndexSpace {
  project: string;
  namespace: string;
  dimension: number | null;
}

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

/** The hits of the full-text search and of the vector search, each best first and without duplicates. */
export interface ChunkHits {
  text: ChunkHit[];
  vector: ChunkHit[];
}

/**
 * A chunk index. Its methods throw `IndexMissingError` if the namespace must be rebuilt, and `IndexUnavailableError` if
 * the index cannot be reached.
 */
export interface ChunkIndex {
  readonly name: 'lancedb' | 'qdrant';
  /** A description for people: the engine and its location. */
  readonly type: string;
  /** Adds rows. Searches return an id once even if it was added twice; the later row may add a missing vector. */
  add(space: IndexSpace, rows: IndexRow[]): Promise<void>;
  /** Removes all rows of these attempts, in all dimensions. */
  removeAttempts(space: IndexSpace, attemptIds: string[]): Promise<void>;
  /** Removes the namespace, in all dimensions. */
  drop(space: IndexSpace): Promise<void>;
  dropProject(project: string): Promise<void>;
  search(space: IndexSpace, question: IndexQuery): Promise<ChunkHits>;
  /** Yields every stored id once, for the comparison with MongoDB. */
  ids(space: IndexSpace): AsyncIterable<string>;
  /** Removes duplicate rows and compacts the files. Slow: call it from a job, not from a request. */
  maintain(space: IndexSpace): Promise<void>;
  /** Returns an id that is stored with the data. If it differs from an earlier result, the earlier data is lost. */
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

/** 503: the index server did not answer in time. A later call may succeed. */
export class IndexUnavailableError extends AppError {
  constructor(options?: ErrorOptions) {
    super(503, 'INDEX_UNAVAILABLE', 'The knowledge base is unavailable; try again shortly');
    this.with(RETRY_AFTER).cause = options?.cause;
  }
}
