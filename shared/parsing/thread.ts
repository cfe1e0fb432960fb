/** The thread in which untrusted bytes are read. */
import { readFile } from 'node:fs/promises';
import { workerData } from 'node:worker_threads';
import { serve } from '#shared/threads/serve.ts';
import { parsePage, parseText } from './page.ts';
import type { Limits, ParsedPage, ParsedSitemap, Task } from './protocol.ts';
import { parseSitemap } from './sitemap.ts';

const limits = workerData as Limits;

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

serve(perform, { failed: 'PARSE_FAILED' });
