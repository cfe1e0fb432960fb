/** The settings for fetching, rendering and parsing pages and files, a part of the schema in config.ts. */
import { z } from 'zod';
import { commaList, milliseconds, positiveInteger, seconds } from './setting-types.ts';

export const crawlSettings = {
  FETCH_ALLOW: commaList
    .default([])
    .describe(
      'Comma-separated targets in private networks that the server may connect to on behalf of projects: pages, bots, webhooks and SMTP servers. Each is a host or CIDR range, optionally with `:port`; IPv6 addresses in brackets',
    ),
  FETCH_TIMEOUT_SECONDS: seconds.default(15).describe('Timeout for fetching one page, redirects included, in seconds'),
  FETCH_MAX_BYTES: positiveInteger
    .default(5_000_000)
    .describe('Maximum size of one page, encoded and decoded, in bytes'),
  KB_FILE_MAX_BYTES: positiveInteger
    .default(10_485_760)
    .describe('Maximum size of one file of a knowledge base (PDF, DOCX, …), in bytes'),
  FETCH_MAX_REDIRECTS: positiveInteger.default(5).describe('Maximum number of redirects to follow'),
  FETCH_HOST_CONCURRENCY: positiveInteger
    .default(4)
    .describe('Maximum number of concurrent requests to one host, across all workers'),
  FETCH_HOST_DELAY_MS: milliseconds
    .default(0)
    .describe('Milliseconds between the starts of two requests to one host, unless its robots.txt sets a delay'),
  FETCH_USER_AGENT: z
    .string()
    .default('SupportChatBot/1.0')
    .describe('`User-Agent` header of the crawler and of calls to bots'),
  BROWSER: z
    .string()
    .optional()
    .describe(
      'Chromium that renders pages with a `scrape_type` of 2 to 5: the path of its executable, or the DevTools URL of a browser without access to private networks. Default: pages are read without running their scripts',
    ),
  BROWSER_PAGES: positiveInteger.default(2).describe('Pages that each worker renders concurrently in `BROWSER`'),
  SITEMAP_MAX_BYTES: positiveInteger
    .default(52_428_800)
    .describe('Maximum size of one file of a sitemap, decoded, in bytes'),
  SITEMAP_MAX_URLS: positiveInteger
    .default(50_000)
    .describe(
      'Maximum number of URLs that are read from each file of a sitemap, and of pages from all its files together, when the sitemap is converted, imported or refreshed; further URLs are left out',
    ),
  PARSE_TIMEOUT_SECONDS: seconds
    .default(5)
    .describe('CPU time that the parsing thread may spend on one page, in seconds'),
  PARSE_FILE_TIMEOUT_SECONDS: seconds
    .default(60)
    .describe('CPU time that the parsing thread may spend on one file of a knowledge base, in seconds'),
  PARSE_MEMORY_MIB: positiveInteger.default(256).describe('Heap limit of the parsing thread, in MiB'),
  CHUNK_TOKENS: positiveInteger
    .default(200)
    .describe(
      "Maximum number of tokens in the text of a chunk, counted with the vocabulary of the local model. The local model reads only the first 256 tokens of the chunk's headings, context and text",
    ),
};
