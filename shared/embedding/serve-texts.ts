/** The code of embedding threads that does not depend on the model. */
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { InferenceSession } from 'onnxruntime-node';

/** The reply to each text. */
export type EmbeddingThreadReply = { vector: Float32Array<ArrayBuffer>; tokens: number } | { error: string };

/** Maximum number of tokens of a text that a model reads; further tokens are ignored. */
export const MAX_TOKENS = 256;
/**
 * Maximum number of characters that are tokenized. In a text made of words, later characters lie beyond the first
 * MAX_TOKENS tokens.
 */
export const MAX_CHARACTERS = MAX_TOKENS * 100;

/** Loads a model that runs on one core. */
export const loadModel = (file: string): Promise<InferenceSession> =>
  InferenceSession.create(file, { intraOpNumThreads: 1, interOpNumThreads: 1, executionMode: 'sequential' });

/** Receives texts, and replies to each with its vector or an error. */
export const serveTexts = (
  embed: (text: string) => Promise<{ vector: Float32Array<ArrayBuffer>; tokens: number }>,
): void => {
  // On Linux this lowers the priority of this thread only, so that the main thread gets the CPU first.
  if (process.platform === 'linux') setPriority(0, 5);
  parentPort?.on('message', async (text: string) => {
    try {
      const reply: EmbeddingThreadReply = await embed(text.slice(0, MAX_CHARACTERS));
      parentPort?.postMessage(reply, [reply.vector.buffer]);
    } catch (error) {
      parentPort?.postMessage({ error: String(error) } satisfies EmbeddingThreadReply);
    }
  });
};
