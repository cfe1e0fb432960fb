import { setTimeout as sleep } from 'node:timers/promises';
import { IndexDown } from './chunk-index.ts';

const PAUSE = 100;

/** The HTTP status of an answer of the server; nothing where there was no answer. */
export const statusOf = (error: unknown): number | undefined =>
  error instanceof Error && 'status' in error && typeof error.status === 'number' ? error.status : undefined;

const mayPass = (status: number | undefined) => status === undefined || status === 429 || status >= 500;

/** Asks again, `tries` times in all, where the server is away or busy; then `IndexDown`. All else is thrown as it is. */
export async function insist<T>(tries: number, ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!mayPass(statusOf(error))) throw error;
      if (attempt >= tries) throw new IndexDown({ cause: error });
      await sleep(PAUSE * 2 ** attempt * (0.5 + Math.random() / 2));
    }
  }
}
