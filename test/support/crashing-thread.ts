/** A thread with the protocol of the local model's thread, which dies, throws or hangs when the text says so. */
import { parentPort } from 'node:worker_threads';
import type { EmbeddingThreadReply } from '#shared/embedding/local-thread.ts';

const responders: Record<string, () => EmbeddingThreadReply | undefined> = {
  die: () => process.exit(3),
  hang: () => undefined,
  throw: () => ({ error: 'thrown by the test' }),
};

parentPort?.on('message', (text: string) => {
  const special = responders[text];
  const answer = special ? special() : { vector: Float32Array.of(1, 0), tokens: 1 };
  if (answer) parentPort?.postMessage(answer);
});
