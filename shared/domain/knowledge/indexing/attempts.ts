/**
 * Attempts: fencing for the indexing of a content. Taking a content (status `queued`) starts an attempt with its own id
 * and a lease. Everything that the attempt writes carries this id, and an attempt can publish its result only while the
 * content still names it. Otherwise, the attempt was overtaken: the content was deleted or queued again, for example
 * because the lease had expired. A worker that was killed, paused or overtaken may leave chunks, but searches ignore
 * them.
 */
import { ulid } from 'ulid';
import { emits } from '../../../events.ts';
import type { StageRecord } from '../../../models/kb-attempt.ts';
import { CONTENT_STATUS, KbContent, NO_FAILURES } from '../../../models/kb-content.ts';
import { currentTime, currentTimeMs } from '../../../time/clock.ts';
import { leaseEnd, RUNNING_STATUSES, trackAttempt } from './attempt-leases.ts';
import { pushEnded } from './attempt-timeline.ts';
import { dueFilter } from './due-contents.ts';

/**
 * The writes that start an attempt or report its progress do not wait for MongoDB's journal. The later write of the
 * result does, and the journal preserves the order of writes. If a crash of MongoDB loses the start of an attempt, the
 * content is taken again; if it loses a report, only the event of the report is lost.
 */
const WITHOUT_JOURNAL = { writeConcern: { w: 1, j: false } } as const;

/** How a page or file is read and indexed. */
interface ReadOptions {
  scrapeType?: number;
  scrapeOptions?: Record<string, unknown>;
  chunkRegex?: string;
  /** Whether a chat model writes a context for each chunk. */
  situatedContext?: boolean;
}

/** A running attempt and the content that it indexes. */
export interface Attempt extends ReadOptions {
  id: string;
  contentId: string;
  id_project: string;
  namespace: string;
  type: string;
  source: string;
  name: string;
  text: string;
  /** The numbers of earlier failed attempts: `outages` if part of this system was down, otherwise `failures`. */
  failures: number;
  outages: number;
  /** The import that added the content. Imports report the progress of their contents. */
  importId?: string;
  /** The stages so far. They become part of the content's timeline. */
  stages: StageRecord[];
  /** The ids of all other attempts that may have left chunks; includes `publishedAttemptId`. */
  otherAttemptIds: string[];
  /** The id of the attempt that published the last result, and the hash of its chunks. */
  publishedAttemptId?: string;
  hash?: string;
  /** The HTTP validators of the published result; absent if it was read with options other than this attempt's. */
  etag?: string;
  lastModified?: string;
}

const ATTEMPT_FIELDS = {
  namespace: 1,
  type: 1,
  source: 1,
  name: 1,
  content: 1,
  scrape_type: 1,
  scrape_options: 1,
  chunk_regex: 1,
  situated_context: 1,
  failures: 1,
  outages: 1,
  publishedAttemptId: 1,
  hash: 1,
  etag: 1,
  last_modified: 1,
  read_options: 1,
  attemptIds: 1,
  import_id: 1,
} as const;

/** Returns the update that requeues a content and ends its attempt. `set` and `unset` extend `$set` and `$unset`. */
export const requeueUpdate = <S extends object>(set: S, unset: object = {}) => ({
  $set: { status: CONTENT_STATUS.queued, nextAttemptAt: currentTime(), ...set },
  $unset: { attemptId: 1, leaseUntil: 1, ...unset },
});

/** The filter for the content of an attempt, while the content still names the attempt. */
export const attemptFilter = ({ id, contentId, id_project }: Attempt) => ({
  _id: contentId,
  id_project,
  attemptId: id,
});

/** Returns the reading options of a page or file, in the form that is stored with its validators. */
const readOptionsOf = ({ scrapeType, scrapeOptions, chunkRegex, situatedContext }: ReadOptions): string =>
  JSON.stringify([
    ...[scrapeType ?? null, scrapeOptions ?? null, chunkRegex ?? null],
    ...(situatedContext ? ['situated_context'] : []),
  ]);

interface StoredValidators {
  publishedAttemptId?: string | null;
  etag?: string | null;
  last_modified?: string | null;
  read_options?: string | null;
}

/** Returns the HTTP validators of the last response if it was published, and was read with `options`. */
const validatorsOf = (
  { publishedAttemptId, etag, last_modified, read_options }: StoredValidators,
  options: ReadOptions,
): Pick<Attempt, 'etag' | 'lastModified'> =>
  publishedAttemptId && read_options === readOptionsOf(options)
    ? { etag: etag || undefined, lastModified: last_modified || undefined }
    : {};

/**
 * Takes the project's content that has been due longest; its status becomes `fetching`. Returns null if none is due.
 */
export const takeNextContent = async (id_project: string): Promise<Attempt | null> => {
  const id = ulid(currentTimeMs());
  const taken = await KbContent.findOneAndUpdate(
    { id_project, ...dueFilter() },
    {
      $set: { status: CONTENT_STATUS.fetching, attemptId: id, leaseUntil: leaseEnd() },
      $push: { attemptIds: id },
      $unset: { waiting: 1 },
    },
    { sort: { nextAttemptAt: 1 }, projection: ATTEMPT_FIELDS, returnDocument: 'after', ...WITHOUT_JOURNAL },
  ).lean();
  if (!taken) return null;
  trackAttempt(id, id_project);
  const { namespace, type, source, name, content, failures, attemptIds } = taken;
  const options = {
    scrapeType: taken.scrape_type ?? undefined,
    scrapeOptions: (taken.scrape_options as Record<string, unknown>) ?? undefined,
    chunkRegex: taken.chunk_regex ?? undefined,
    situatedContext: taken.situated_context ?? undefined,
  };
  return {
    id,
    contentId: String(taken._id),
    id_project,
    ...{ namespace, type, source, name, text: content, failures, outages: taken.outages ?? 0 },
    ...options,
    importId: taken.import_id ?? undefined,
    stages: [],
    otherAttemptIds: attemptIds.filter((each) => each !== id),
    publishedAttemptId: taken.publishedAttemptId ?? undefined,
    hash: taken.hash ?? undefined,
    ...validatorsOf(taken, options),
  };
};

const PROGRESS_EVENT = emits('kb.content.progress');

/**
 * Emits `kb.content.progress` because the content is being fetched, unless it belongs to an import, which reports the
 * progress itself. An event is part of a write, so the status that `takeNextContent` has set is written again.
 */
export const announceFetching = async (attempt: Attempt): Promise<void> => {
  if (attempt.importId) return;
  const change = { $set: { status: CONTENT_STATUS.fetching } };
  await KbContent.updateOne(attemptFilter(attempt), change, { ...WITHOUT_JOURNAL, ...PROGRESS_EVENT });
};

/**
 * Marks the content as fetched: its status becomes `indexing`. Emits `kb.content.progress`, unless the content belongs
 * to an import. Returns false if the attempt was overtaken.
 */
export const startIndexing = async (attempt: Attempt): Promise<boolean> => {
  const { matchedCount } = await KbContent.updateOne(
    { ...attemptFilter(attempt), status: RUNNING_STATUSES },
    { $set: { status: CONTENT_STATUS.indexing } },
    { ...WITHOUT_JOURNAL, ...(attempt.importId ? {} : PROGRESS_EVENT) },
  );
  return matchedCount === 1;
};

/** The outcome of a successful attempt. */
export interface IndexingResult {
  chunks: number;
  hash: string;
  embedded_by: string;
  etag?: string;
  last_modified?: string;
  scrape_mode?: string;
  /** The number of texts that were embedded. Vectors of unchanged chunks are reused; repeated texts count once. */
  embedded?: number;
}

const CLEARED_FIELDS = { error: 1, attemptId: 1, leaseUntil: 1 } as const;

/**
 * Publishes the attempt's chunks: the status becomes `indexed`. Returns false, and publishes nothing, if the attempt
 * was overtaken.
 */
export const finishAttempt = async (attempt: Attempt, result: IndexingResult): Promise<boolean> => {
  const { etag, last_modified, embedded, ...outcome } = result;
  const validators = { etag: etag ?? '', last_modified: last_modified ?? '', read_options: readOptionsOf(attempt) };
  const staleMark = attempt.otherAttemptIds.length ? { hasStaleChunks: true } : {};
  const changes = {
    ...outcome,
    ...validators,
    ...staleMark,
    status: CONTENT_STATUS.indexed,
    publishedAttemptId: attempt.id,
    ...NO_FAILURES,
    last_refresh: currentTime(),
  };
  const { matchedCount } = await KbContent.updateOne(
    { ...attemptFilter(attempt), status: RUNNING_STATUSES },
    {
      $set: changes,
      $unset: CLEARED_FIELDS,
      $push: pushEnded(attempt, 'indexed', { chunks: result.chunks, embedded }),
    },
    emits('kb.content.indexed'),
  );
  return matchedCount === 1;
};

/**
 * Ends the attempt because the source has not changed: the status becomes `indexed`. The published chunks are kept.
 * Returns false if the attempt was overtaken.
 */
export const finishUnchanged = async (
  attempt: Attempt,
  validators: { etag?: string; last_modified?: string; scrape_mode?: string } = {},
): Promise<boolean> => {
  const staleMark = attempt.otherAttemptIds.some((each) => each !== attempt.publishedAttemptId)
    ? { hasStaleChunks: true }
    : {};
  const { matchedCount } = await KbContent.updateOne(
    { ...attemptFilter(attempt), status: RUNNING_STATUSES },
    {
      $set: {
        ...{ ...validators, ...staleMark, read_options: readOptionsOf(attempt) },
        ...{ status: CONTENT_STATUS.indexed, ...NO_FAILURES, last_refresh: currentTime() },
      },
      $unset: CLEARED_FIELDS,
      $pull: { attemptIds: attempt.id },
      $push: pushEnded(attempt, 'unchanged'),
    },
    emits('kb.content.indexed'),
  );
  return matchedCount === 1;
};
