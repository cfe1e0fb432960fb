/** One content, one attempt: fetch, read, chunk, embed, store, switch (design 4). */
import {
  type Attempt,
  breakOff,
  fail,
  finish,
  finishUnchanged,
  letGo,
  putBack,
  startIndexing,
} from '#shared/domain/knowledge/attempts.ts';
import { hashOf, removeAttempts, store } from '#shared/domain/knowledge/chunks.ts';
import { cleanLitter } from '#shared/domain/knowledge/removals.ts';
import { embedder } from '#shared/embedding/embedder.ts';
import { type ParsedPage, parsing } from '#shared/parsing/pool.ts';
import { logger } from '#shared/logger.ts';
import { failureOf, retryAt } from './failures.ts';
import { visit } from './visit.ts';

interface Read {
  page: ParsedPage;
  etag?: string;
  lastModified?: string;
}

const readPage = async (attempt: Attempt, signal: AbortSignal): Promise<Read | null> => {
  const validators = attempt.current
    ? { etag: attempt.etag || undefined, lastModified: attempt.lastModified || undefined }
    : {};
  const visited = await visit(attempt.source, { ...validators, signal });
  if (visited.notModified) return null;
  const { body, contentType, url, etag, lastModified } = visited;
  return { page: await parsing.parsePage({ body, contentType, url }), etag, lastModified };
};

/** What the content says now, or null when it is what was indexed last. */
const read = async (attempt: Attempt, signal: AbortSignal): Promise<Read | null> =>
  attempt.type === 'url'
    ? readPage(attempt, signal)
    : { page: await parsing.parseText({ text: attempt.text, title: attempt.name }) };

const replace = async (attempt: Attempt, { page, etag, lastModified }: Read, signal: AbortSignal): Promise<void> => {
  const hash = hashOf(page.chunks);
  const validators = { etag, last_modified: lastModified };
  if (attempt.current && hash === attempt.hash) return finishUnchanged(attempt, validators);
  if (!(await startIndexing(attempt))) return;
  await store(attempt, page.chunks, signal);
  const result = { ...validators, hash, chunks: page.chunks.length, embedded_by: embedder()?.name ?? '' };
  if (!(await finish(attempt, result))) return overtaken(attempt);
  if (attempt.earlier.length) await cleanLitter({ id_project: attempt.id_project, _id: attempt.content });
};

const overtaken = ({ id, id_project, namespace }: Attempt) => removeAttempts({ id_project, namespace, attempts: [id] });

const settle = async (attempt: Attempt, error: unknown): Promise<void> => {
  const failure = failureOf(error);
  if (failure.kind === 'busy') return putBack(attempt, failure, new Date(Date.now() + failure.afterMs));
  if (failure.kind === 'unforeseen') logger.error({ err: error, content: attempt.content }, 'indexing broke');
  await fail(attempt, failure, retryAt(failure, attempt.failures));
};

/** Index a taken content to its end: 300, 400 with the reason, or back to -1 for another try. */
export const indexContent = async (attempt: Attempt, signal: AbortSignal): Promise<void> => {
  try {
    const found = await read(attempt, signal);
    if (found) await replace(attempt, found, signal);
    else await finishUnchanged(attempt);
  } catch (error) {
    if (signal.aborted) await breakOff(attempt);
    else await settle(attempt, error);
  } finally {
    letGo(attempt);
  }
};
