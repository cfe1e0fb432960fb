/** Indexes one content in one attempt: fetches, parses, chunks, embeds and stores it, then publishes the new chunks. */
import { removeStaleChunks } from '#shared/domain/knowledge/content-removals.ts';
import { abortAttempt, failAttempt, requeueAttempt } from '#shared/domain/knowledge/indexing/attempt-failures.ts';
import { untrackAttempt } from '#shared/domain/knowledge/indexing/attempt-leases.ts';
import {
  type Attempt,
  announceFetching,
  finishAttempt,
  finishUnchanged,
  startIndexing,
} from '#shared/domain/knowledge/indexing/attempts.ts';
import { hashChunks, removeAttemptChunks, storeChunks } from '#shared/domain/knowledge/indexing/chunks.ts';
import { addContexts, isSituated } from '#shared/domain/knowledge/situated-context.ts';
import { refreshSitemap } from '#shared/domain/knowledge/sitemap-contents.ts';
import { embedder } from '#shared/embedding/embedder.ts';
import { logger } from '#shared/logger.ts';
import { indexingAttempts } from '#shared/metrics.ts';
import { currentTimeMs } from '#shared/time/clock.ts';
import { classifyFailure, nextAttemptTime } from './classify-failure.ts';
import { readSource, type SourceContent } from './read-source.ts';

/** Returns whether the content was published; false if the attempt was overtaken. */
const replaceChunks = async (
  attempt: Attempt,
  { page, etag, lastModified, scrapeMode }: SourceContent,
  signal: AbortSignal,
): Promise<boolean> => {
  const hash = hashChunks(page.chunks, isSituated(attempt));
  const validators = { etag, last_modified: lastModified, ...(scrapeMode && { scrape_mode: scrapeMode }) };
  if (attempt.publishedAttemptId && hash === attempt.hash) return finishUnchanged(attempt, validators);
  if (!(await startIndexing(attempt))) return false;
  const stored = await storeChunks(attempt, await addContexts(attempt, page.chunks, signal), signal);
  const result = { ...validators, ...stored, hash, chunks: page.chunks.length };
  if (!(await finishAttempt(attempt, result))) {
    await discardChunks(attempt);
    return false;
  }
  if (attempt.otherAttemptIds.length)
    await removeStaleChunks({ id_project: attempt.id_project, _id: attempt.contentId });
  return true;
};

const discardChunks = ({ id, id_project, namespace }: Attempt) =>
  removeAttemptChunks({ id_project, namespace, attemptIds: [id] });

const recordFailure = async (attempt: Attempt, error: unknown): Promise<void> => {
  const failure = classifyFailure(error);
  const { kind, retryAfterMs } = failure;
  if (kind === 'busy') {
    indexingAttempts.inc({ result: 'waiting' });
    return requeueAttempt(attempt, failure, new Date(currentTimeMs() + retryAfterMs));
  }
  if (kind === 'unexpected') logger.error({ err: error, content: attempt.contentId }, 'indexing failed unexpectedly');
  const counter = kind === 'outage' ? 'outages' : 'failures';
  const next = nextAttemptTime({ kind, retryAfterMs }, attempt[counter]);
  indexingAttempts.inc({ result: next ? 'retry' : 'failed' });
  await failAttempt(attempt, { ...failure, counter }, next);
};

/** Adds and removes pages according to changes in a sitemap. The sitemap itself has no chunks. */
const readSitemap = async (attempt: Attempt, signal: AbortSignal): Promise<boolean> => {
  await refreshSitemap({ id_project: attempt.id_project, id: attempt.contentId }, signal);
  return finishAttempt(attempt, { chunks: 0, hash: '', embedded_by: embedder()?.name ?? '' });
};

/** Returns whether the content was published; false if the attempt was overtaken. */
const readAndIndex = async (attempt: Attempt, signal: AbortSignal): Promise<boolean> => {
  await announceFetching(attempt);
  if (attempt.type === 'sitemap') return readSitemap(attempt, signal);
  const source = await readSource(attempt, signal);
  return source ? replaceChunks(attempt, source, signal) : finishUnchanged(attempt);
};

/**
 * Runs an indexing attempt. The content ends with the status 300 (indexed), 400 (failed, with the error) or -1 (queued
 * for a retry). An attempt that was overtaken, because its lease has ended or the content was changed or deleted,
 * changes nothing.
 */
export const indexContent = async (attempt: Attempt, signal: AbortSignal): Promise<void> => {
  try {
    const isPublished = await readAndIndex(attempt, signal);
    indexingAttempts.inc({ result: isPublished ? 'indexed' : 'overtaken' });
  } catch (error) {
    if (signal.aborted) {
      indexingAttempts.inc({ result: 'aborted' });
      await abortAttempt(attempt);
    } else await recordFailure(attempt, error);
  } finally {
    untrackAttempt(attempt);
  }
};
