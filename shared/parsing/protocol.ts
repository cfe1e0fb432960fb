/** What the parsing thread is asked and what it answers: plain data only, since it crosses threads. */
import type { Chunk } from './chunks.ts';

/** A page or text as knowledge: its title, its language where it names one, and its passages in reading order. */
export type ParsedPage = { title: string; language?: string; chunks: Chunk[] };

/** The addresses of one sitemap file; `truncated` when it holds more than were asked for. */
export type ParsedSitemap = { kind: 'urlset' | 'index'; urls: string[]; truncated: boolean };

/** A fetched page; `contentType` is the header's value and may be empty. */
export type PageInput = { body: Uint8Array; contentType: string; url: string };

/** Markdown or plain text that someone typed. */
export type TextInput = { text: string; title: string };

/** The work the thread knows, by name: what it takes and what it gives. */
export type Tasks = {
  page: { input: PageInput; output: ParsedPage };
  text: { input: TextInput; output: ParsedPage };
  sitemap: { input: Uint8Array; output: ParsedSitemap };
  /** The path of a file, for one too large to be held beside others. */
  'sitemap-file': { input: string; output: ParsedSitemap };
};

/** One piece of work on its way to the thread. */
export type Task = { [Name in keyof Tasks]: { name: Name; input: Tasks[Name]['input'] } }[keyof Tasks];

/** Bounds the thread keeps; fixed when it starts. */
export type Limits = { chunkTokens: number; sitemapBytes: number; sitemapUrls: number };
