/**
 * A local model in its own thread. The thread starts with the first text and embeds one text at a time, because batches
 * are no faster and need more memory. It ends when there has been no text for ten minutes, which frees the memory of
 * the model. If the thread ends while embedding a text, that text fails. The next text starts a new thread.
 */
import { Worker } from 'node:worker_threads';
import { AppError } from '../errors.ts';
import { Batcher, type EmbeddedBatch } from './batcher.ts';
import type { EmbeddingThreadReply } from './serve-texts.ts';
import type { Embedder } from './types.ts';

const BATCH_LIMITS = { texts: 1, chars: Number.MAX_SAFE_INTEGER, concurrency: 1 };

const DEFAULT_IDLE_MS = 600_000;

/** The `workerData` of the thread: the file or folder of the model. */
export type EmbeddingThreadData = { file: string };

/** A model, and the script of its thread. */
export interface ThreadModel extends Pick<Embedder, 'name' | 'dimension'> {
  file: string;
  script: URL;
  /** How long the thread waits for a text before it ends; ten minutes by default. */
  idleMs?: number;
}

const threadStoppedError = (reason: string) =>
  new AppError(503, 'AI_UNAVAILABLE', `The embedding model stopped: ${reason}`);

const startThread = ({ script, file }: ThreadModel) =>
  new Worker(script, {
    name: 'embedding',
    workerData: { file } satisfies EmbeddingThreadData,
    resourceLimits: { maxOldGenerationSizeMb: 128 },
  });

/** Sends one text and waits for its vector; rejects if the thread ends first. */
const embedInThread = (thread: Worker, text: string) =>
  new Promise<EmbeddedBatch>((resolve, reject) => {
    const onMessage = (reply: EmbeddingThreadReply) => {
      if ('error' in reply) end(() => reject(threadStoppedError(reply.error)));
      else end(() => resolve({ vectors: [reply.vector], tokens: reply.tokens }));
    };
    const onError = (error: Error) => end(() => reject(threadStoppedError(error.message)));
    const onExit = (code: number) => end(() => reject(threadStoppedError(`its thread ended with code ${code}`)));
    const end = (settle: () => void) => {
      thread.off('message', onMessage).off('error', onError).off('exit', onExit).unref();
      settle();
    };
    thread.on('message', onMessage).on('error', onError).on('exit', onExit).ref();
    thread.postMessage(text);
  });

/** Creates an embedder for a model. Its thread starts with the first text. */
export const threadEmbedder = ({ idleMs = DEFAULT_IDLE_MS, ...model }: ThreadModel): Embedder => {
  let thread: Worker | undefined;
  let idleTimer: NodeJS.Timeout | undefined;
  const ensureThread = () => {
    if (thread) return thread;
    const started = startThread(model);
    const clearThread = () => {
      if (thread === started) thread = undefined;
    };
    started.on('error', clearThread).on('exit', clearThread);
    thread = started;
    return started;
  };
  const endThread = async () => {
    clearTimeout(idleTimer);
    const ending = thread;
    thread = undefined;
    await ending?.terminate();
  };
  const run = async ([text = '']: string[]) => {
    clearTimeout(idleTimer);
    try {
      return await embedInThread(ensureThread(), text);
    } finally {
      idleTimer = setTimeout(endThread, idleMs).unref();
    }
  };
  const batcher = new Batcher({ limits: BATCH_LIMITS, run });
  return {
    provider: 'local',
    name: model.name,
    dimension: model.dimension,
    embed: (texts, options) => batcher.embed(texts, options),
    close: async () => {
      batcher.close(threadStoppedError('it was closed'));
      await endThread();
    },
  };
};
