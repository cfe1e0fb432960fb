/** What an index of chunks is. Truth is in MongoDB: an index may be lost and rebuilt at any time, at no embedding call. */

import { AppError } from '#shared/errors.ts';

/** One namespace of one project, and how many numbers a vector of its model has; `null` means full text alone. */
export interface Space {
  project: string;
  namespace: string;
  dimension: number | null;
}

/** One chunk; `vector` is `null` until a model was there. */
export interface Row {
  id: string;
  content: string;
  attempt: string;
  text: string;
  vector: Float32Array | null;
}

/** One find; a higher score is better: BM25 in `text`, cosine similarity in `vector`. */
export interface Hit {
  id: string;
  content: string;
  attempt: string;
  score: number;
}

/** What is asked; `contents` narrows the answer to chunks of these contents. */
export interface Question {
  text?: string;
  vector?: Float32Array;
  limit: number;
  contents?: string[];
}

/** Hits by full text and by meaning, each best first and without repeats. */
export interface Hits {
  text: Hit[];
  vector: Hit[];
}

/** A derived index: throws `IndexLost` where it must be rebuilt, `IndexDown` where it cannot be reached. */
export interface ChunkIndex {
  readonly name: 'lancedb' | 'qdrant';
  /** For people: what it is and where. */
  readonly type: string;
  /** Adds rows; the same id again is still found once, and completes a row that had no vector. */
  add(space: Space, rows: Row[]): Promise<void>;
  /** Removes all rows of these attempts, whatever dimension they were added with. */
  removeAttempts(space: Space, attempts: string[]): Promise<void>;
  /** Forgets the namespace in all dimensions. */
  drop(space: Space): Promise<void>;
  dropProject(project: string): Promise<void>;
  search(space: Space, question: Question): Promise<Hits>;
  /** Every id that is there, once, for reconciliation with MongoDB. */
  ids(space: Space): AsyncIterable<string>;
  /** Removes repeats and tidies the files: work for a job, not for a request. */
  maintain(space: Space): Promise<void>;
  /** A text that goes with the data: another one means that what was indexed is not here any more. */
  identity(): Promise<string>;
  /** Resolves when a write would succeed. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

const SOON = { headers: { 'Retry-After': '5' } };

/** 503: the index of a namespace is gone or unreadable, what was left of it is dropped; `drop` and `add` it again from MongoDB. */
export class IndexLost extends AppError {
  readonly project: string;
  readonly namespace: string;

  constructor(space: { project: string; namespace: string }, options?: ErrorOptions) {
    super(503, 'INDEX_REBUILDING', 'The knowledge base is being rebuilt; try again shortly');
    this.with(SOON).cause = options?.cause;
    this.project = space.project;
    this.namespace = space.namespace;
  }
}

/** 503: the server of the index did not answer in time, or not at all; asking again later may help. */
export class IndexDown extends AppError {
  constructor(options?: ErrorOptions) {
    super(503, 'INDEX_AWAY', 'The knowledge base cannot be searched right now');
    this.with(SOON).cause = options?.cause;
  }
}
