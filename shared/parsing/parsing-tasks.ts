/** The tasks and results of the parsing thread. They are plain data, so that threads can exchange them. */
import type { Chunk } from './chunks.ts';

/** A parsed page or text: its title, its declared language, and its chunks in reading order. */
export type ParsedPage = { title: string; language?: string; chunks: Chunk[] };

/** The URLs of one sitemap file. `truncated` is true if some of the file's URLs were left out. */
export type ParsedSitemap = { kind: 'urlset' | 'index'; urls: string[]; truncated: boolean };

/** A fetched page; `contentType` is the header's value and may be empty. */
export type PageInput = { body: Uint8Array; contentType: string; url: string };

/** Markdown or plain text entered by a person. */
export type TextInput = { text: string; title: string };

/** The tasks by name, with their input and output. */
export type ParsingTasks = {
  page: { input: PageInput; output: ParsedPage };
  text: { input: TextInput; output: ParsedPage };
  sitemap: { input: Uint8Array; output: ParsedSitemap };
  /** The path of a sitemap file that is too large to pass in memory. */
  'sitemap-file': { input: string; output: ParsedSitemap };
};

/** A task sent to the thread. */
export type ParsingTask = {
  [Name in keyof ParsingTasks]: { name: Name; input: ParsingTasks[Name]['input'] };
}[keyof ParsingTasks];

/** Limits of the thread, fixed when it starts. */
export type ParsingLimits = { chunkTokens: number; sitemapBytes: number; sitemapUrls: number };
