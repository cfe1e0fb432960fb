/** The thread in which untrusted bytes are read: it does one task at a time and may be ended at any moment. */
import { readFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { AppError } from '#shared/errors.ts';
import { parsePage, parseText } from './page.ts';
import type { Answer, Limits, ParsedPage, ParsedSitemap, Task } from './protocol.ts';
import { parseSitemap } from './sitemap.ts';

const limits = workerData as Limits;

// On Linux this is the thread's own priority: the event loops of the process keep their turn.
if (process.platform === 'linux') setPriority(0, 5);

// What libraries print about a page is no line of our log.
const silent = () => undefined;
Object.assign(console, { log: silent, info: silent, warn: silent, error: silent, debug: silent });

const answer = (message: Answer) => parentPort?.postMessage(message);

async function perform(task: Task): Promise<ParsedPage | ParsedSitemap> {
  switch (task.name) {
    case 'page':
      return parsePage(task.input, limits.chunkTokens);
    case 'text':
      return parseText(task.input, limits.chunkTokens);
    case 'sitemap':
      return parseSitemap(task.input, limits);
    case 'sitemap-file':
      return parseSitemap(await readFile(task.input), limits);
  }
}

parentPort?.on('message', async (task: Task) => {
  try {
    answer({ type: 'done', value: await perform(task) });
  } catch (error) {
    // Reading the same bytes again would fail the same way, so this too is the end of the task.
    const code = error instanceof AppError ? error.code : 'PARSE_FAILED';
    answer({ type: 'failed', code, message: error instanceof Error ? error.message : String(error) });
  }
});

answer({ type: 'ready' });
