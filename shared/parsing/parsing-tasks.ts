/** The tasks and results of the parsing thread. They are plain data, so that threads can exchange them. */
import type { Chunk } from './chunks.ts';

/** A parsed page or text: its title, and its chunks in reading order. */
export type ParsedPage = { title: string; chunks: Chunk[] };

/**
 * The URLs of one sitemap file. `truncated` is true if some of the file's URLs were left out, and `isBroken` if the
 * file ends, or stops being XML, before the end of its root element, so that URLs may be missing.
 */
export type ParsedSitemap = { kind: 'urlset' | 'index'; urls: string[]; truncated: boolean; isBroken: boolean };

/** The options of a content for reading its page. The `…tags…` fields contain CSS selectors. */
export type ScrapeOptions = {
  tags_to_extract?: string[];
  unwanted_tags?: string[];
  unwanted_classnames?: string[];
  desired_classnames?: string[];
  remove_lines?: boolean;
  remove_comments?: boolean;
  time_sleep?: number;
};

/**
 * A fetched page; `contentType` is the header's value and may be empty. `wholePage` keeps navigation and other
 * decoration; otherwise the main part of the page is read, or the parts that `options` select.
 */
export type PageInput = {
  body: Uint8Array;
  contentType: string;
  url: string;
  wholePage?: boolean;
  options?: ScrapeOptions;
};

/** The formats of files. A file in the `regex_custom` format is a text that is split with `pattern`. */
export const FILE_FORMATS = ['pdf', 'docx', 'md', 'txt', 'html', 'csv', 'regex_custom'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

/** A file; `title` is used if the file itself has none. */
export type FileInput = {
  body: Uint8Array;
  contentType: string;
  format: FileFormat;
  title: string;
  pattern?: string;
};

/** Markdown or plain text entered by a person. */
export type TextInput = { text: string; title: string };

/** The tasks by name, with their input and output. */
export type ParsingTasks = {
  page: { input: PageInput; output: ParsedPage };
  file: { input: FileInput; output: ParsedPage };
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
