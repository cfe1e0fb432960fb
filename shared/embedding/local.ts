/**
 * all-MiniLM-L6-v2 in a thread of its own: started by the first text, one text at a time (batches bring no speed
 * and cost memory). When the thread dies the running text fails and the next one starts a new thread.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { Worker } from 'node:worker_threads';
import { AppError } from '#shared/errors.ts';
import type { Embedder } from './contract.ts';
import type { ThreadAnswer, ThreadData } from './local-thread.ts';
import { type Embedded, Pump } from './pump.ts';

const KNOWN = new Map([['8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6', 'all-MiniLM-L6-v2']]);
const DIMENSION = 384;
const LIMITS = { texts: 1, chars: Number.MAX_SAFE_INTEGER, atOnce: 1 };

/** Vectors of another file must not pass for this one's, so an unknown file is named by its content. */
const nameOf = (file: string) => {
  const hash = createHash('sha256').update(readFileSync(file)).digest('hex');
  return KNOWN.get(hash) ?? `${basename(file, '.onnx')}-${hash.slice(0, 8)}`;
};

const died = (why: string) => new AppError(503, 'AI_UNAVAILABLE', `The embedding model stopped: ${why}`);

const THREAD = new URL('./local-thread.ts', import.meta.url);

const startThread = (script: URL, file: string) =>
  new Worker(script, {
    name: 'embedding',
    workerData: { file } satisfies ThreadData,
    resourceLimits: { maxOldGenerationSizeMb: 128 },
  });

/** Sends one text and waits for its vector; rejects when the thread ends first. */
const ask = (thread: Worker, text: string) =>
  new Promise<Embedded>((resolve, reject) => {
    const onMessage = (answer: ThreadAnswer) => {
      if ('error' in answer) end(() => reject(died(answer.error)));
      else end(() => resolve({ vectors: [answer.vector], tokens: answer.tokens }));
    };
    const onError = (error: Error) => end(() => reject(died(error.message)));
    const onExit = (code: number) => end(() => reject(died(`its thread ended with code ${code}`)));
    const end = (settle: () => void) => {
      thread.off('message', onMessage).off('error', onError).off('exit', onExit).unref();
      settle();
    };
    thread.on('message', onMessage).on('error', onError).on('exit', onExit).ref();
    thread.postMessage(text);
  });

/** The embedder of a model file; no thread runs before the first text. Tests give a thread of their own. */
export const localEmbedder = (file: string, script = THREAD): Embedder => {
  let thread: Worker | undefined;
  const alive = () => {
    if (thread) return thread;
    const started = startThread(script, file);
    const gone = () => {
      if (thread === started) thread = undefined;
    };
    started.on('error', gone).on('exit', gone);
    thread = started;
    return started;
  };
  const pump = new Pump({ limits: LIMITS, run: ([text = '']) => ask(alive(), text) });
  return {
    provider: 'local',
    name: nameOf(file),
    dimension: DIMENSION,
    embed: (texts, options) => pump.embed(texts, options),
    close: async () => {
      pump.close(died('it was closed'));
      await thread?.terminate();
    },
  };
};
