/** The thread that parses untrusted input. */
import { readFile } from 'node:fs/promises';
import { workerData } from 'node:worker_threads';
import { serveTasks } from '../concurrency/thread-tasks.ts';
import { parseFile } from './parse-file.ts';
import { parsePage, parseText } from './parse-page.ts';
import type { ParsedPage, ParsedSitemap, ParsingLimits, ParsingTask } from './parsing-tasks.ts';
import { parseSitemap } from './sitemap.ts';

const limits = workerData as ParsingLimits;

async function performTask(task: ParsingTask): Promise<ParsedPage | ParsedSitemap> {
  switch (task.name) {
    case 'page':
      return parsePage(task.input, limits.chunkTokens);
    case 'file':
      return parseFile(task.input, limits.chunkTokens);
    case 'text':
      return parseText(task.input, limits.chunkTokens);
    case 'sitemap':
      return parseSitemap(task.input, limits);
    case 'sitemap-file':
      return parseSitemap(await readFile(task.input), limits);
  }
}

serveTasks(performTask, { failureCode: 'PARSE_FAILED' });
