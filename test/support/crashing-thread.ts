/**
 * Replaces the thread of the local model: exits, fails or hangs when it receives the text `die`, `throw` or `hang`. Its
 * vectors contain the id of the thread.
 */
import { parentPort, threadId } from 'node:worker_threads';
import type { EmbeddingThreadReply } from '#shared/embedding/serve-texts.ts';

const responders: Record<string, () => EmbeddingThreadReply | undefined> = {
  die: () => process.exit(3),
  hang: () => undefined,
  throw: () => ({ error: 'thrown by the test' }),
};

parentPort?.on('message', (text: string) => {
  const special = responders[text];
  const answer = special ? special() : { vector: Float32Array.of(1, threadId), tokens: 1 };
  if (answer) parentPort?.postMessage(answer);
});
