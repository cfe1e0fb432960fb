/**
 * The local model all-MiniLM-L6-v2 in its own thread. The thread starts with the first text and embeds one text at a
 * time, since batches are no faster and need more memory. If the thread ends, the running text fails and the next one
 * starts a new thread.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { Worker } from 'node:worker_threads';
import { AppError } from '../errors.ts';
import { Batcher, type EmbeddedBatch } from './batcher.ts';
import type { EmbeddingThreadData, EmbeddingThreadReply } from './local-thread.ts';
import type { Embedder } from './types.ts';

const KNOWN_MODELS = new Map([
  ['8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6', 'all-MiniLM-L6-v2'],
]);
const DIMENSION = 384;
const BATCH_LIMITS = { texts: 1, chars: Number.MAX_SAFE_INTEGER, concurrency: 1 };

/**
 * Returns the model's name. An unknown file is named by its hash, so that vectors of different models are not mixed.
 */
const modelName = (file: string) => {
  const hash = createHash('sha256').update(readFileSync(file)).digest('hex');
  return KNOWN_MODELS.get(hash) ?? `${basename(file, '.onnx')}-${hash.slice(0, 8)}`;
};

const threadStoppedError = (reason: string) =>
  new AppError(503, 'AI_UNAVAILABLE', `The embedding model stopped: ${reason}`);

const THREAD_SCRIPT = new URL('./local-thread.ts', import.meta.url);

const startThread = (script: URL, file: string) =>
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

/** Creates the embedder of a model file; the thread starts with the first text. Tests pass their own thread script. */
export const localEmbedder = (file: string, script = THREAD_SCRIPT): Embedder => {
  let thread: Worker | undefined;
  const ensureThread = () => {
    if (thread) return thread;
    const started = startThread(script, file);
    const clearThread = () => {
      if (thread === started) thread = undefined;
    };
    started.on('error', clearThread).on('exit', clearThread);
    thread = started;
    return started;
  };
  const batcher = new Batcher({ limits: BATCH_LIMITS, run: ([text = '']) => embedInThread(ensureThread(), text) });
  return {
    provider: 'local',
    name: modelName(file),
    dimension: DIMENSION,
    embed: (texts, options) => batcher.embed(texts, options),
    close: async () => {
      batcher.close(threadStoppedError('it was closed'));
      await thread?.terminate();
    },
  };
};
