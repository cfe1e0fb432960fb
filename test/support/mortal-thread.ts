/** A thread that speaks as the local model's does, and dies, throws or hangs when the text says so. */
import { parentPort } from 'node:worker_threads';
import type { ThreadAnswer } from '#shared/embedding/local-thread.ts';

const answers: Record<string, () => ThreadAnswer | undefined> = {
  die: () => process.exit(3),
  hang: () => undefined,
  throw: () => ({ error: 'thrown by the test' }),
};

parentPort?.on('message', (text: string) => {
  const special = answers[text];
  const answer = special ? special() : { vector: Float32Array.of(1, 0), tokens: 1 };
  if (answer) parentPort?.postMessage(answer);
});
