/** Indexes one content in one attempt: fetches, parses, chunks, embeds and stores it, then publishes the new chunks. */
import { removeStaleChunks } from '#shared/domain/knowledge/content-removals.ts';
import { abortAttempt, failAttempt, requeueAttempt } from '#shared/domain/knowledge/indexing/attempt-failures.ts';
import { untrackAttempt } from '#shared/domain/knowledge/indexing/attempt-leases.ts';
import { runStage } from '#shared/domain/knowledge/indexing/attempt-timeline.ts';
import {
  type Attempt,
  announceFetching,
  finishAttempt,
  finishUnchanged,
  startIndexing,
} from '#shared/domain/knowledge/indexing/attempts.ts';
import { hashChunks, removeAttemptChunks, storeChunks } from '#shared/domain/knowledge/indexing/chunks.ts';
import { logger } from '#shared/logger.ts';
import { type ParsedPage, parsingPool } from '#shared/parsing/parsing-pool.ts';
import { classifyFailure, nextAttemptTime } from './classify-failure.ts';
import { crawlPage } from './crawler.ts';

interface SourceContent {
  page: ParsedPage;
  etag?: string;
  lastModified?: string;
}

const readPage = async (attempt: Attempt, signal: AbortSignal): Promise<SourceContent | null> => {
  const validators = attempt.publishedAttemptId
    ? { etag: attempt.etag || undefined, lastModified: attempt.lastModified || undefined }
    : {};
  const crawled = await runStage(attempt, 'fetch', async (stage) => {
    const result = await crawlPage(attempt.source, { ...validators, signal });
    stage.bytes = result.notModified ? 0 : result.body.length;
    return result;
  });
  if (crawled.notModified) return null;
  const { body, contentType, url, etag, lastModified } = crawled;
  const page = await runStage(attempt, 'parse', () => parsingPool.parsePage({ body, contentType, url }));
  return { page, etag, lastModified };
};

/** Reads and parses the content. Returns null if its page has not changed since the last indexing. */
const readSource = async (attempt: Attempt, signal: AbortSignal): Promise<SourceContent | null> =>
  attempt.type === 'url'
    ? readPage(attempt, signal)
    : {
        page: await runStage(attempt, 'parse', () =>
          parsingPool.parseText({ text: attempt.text, title: attempt.name }),
        ),
      };

const replaceChunks = async (
  attempt: Attempt,
  { page, etag, lastModified }: SourceContent,
  signal: AbortSignal,
): Promise<void> => {
  const hash = hashChunks(page.chunks);
  const validators = { etag, last_modified: lastModified };
  if (attempt.publishedAttemptId && hash === attempt.hash) return finishUnchanged(attempt, validators);
  if (!(await startIndexing(attempt))) return;
  const stored = await storeChunks(attempt, page.chunks, signal);
  const result = { ...validators, ...stored, hash, chunks: page.chunks.length };
  if (!(await finishAttempt(attempt, result))) return discardChunks(attempt);
  if (attempt.otherAttemptIds.length)
    await removeStaleChunks({ id_project: attempt.id_project, _id: attempt.contentId });
};

const discardChunks = ({ id, id_project, namespace }: Attempt) =>
  removeAttemptChunks({ id_project, namespace, attemptIds: [id] });

const recordFailure = async (attempt: Attempt, error: unknown): Promise<void> => {
  const failure = classifyFailure(error);
  const { kind, retryAfterMs } = failure;
  if (kind === 'busy') return requeueAttempt(attempt, failure, new Date(Date.now() + retryAfterMs));
  if (kind === 'unexpected') logger.error({ err: error, content: attempt.contentId }, 'indexing failed unexpectedly');
  await failAttempt(attempt, failure, nextAttemptTime({ kind, retryAfterMs }, attempt.failures));
};

/**
 * Runs an indexing attempt. The content ends with status 300 (indexed), 400 (failed, with the error) or -1 (queued for
 * a retry).
 */
export const indexContent = async (attempt: Attempt, signal: AbortSignal): Promise<void> => {
  try {
    await announceFetching(attempt);
    const source = await readSource(attempt, signal);
    if (source) await replaceChunks(attempt, source, signal);
    else await finishUnchanged(attempt);
  } catch (error) {
    if (signal.aborted) await abortAttempt(attempt);
    else await recordFailure(attempt, error);
  } finally {
    untrackAttempt(attempt);
  }
};
