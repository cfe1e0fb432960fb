/** Reads the source of a content: its own text, a page, or a file. */
import { renderPage } from '#shared/crawl/render-page.ts';
import { appliesOptions, scrapeModeOf, usesBrowser } from '#shared/domain/knowledge/content-types.ts';
import { runStage } from '#shared/domain/knowledge/indexing/attempt-timeline.ts';
import type { Attempt } from '#shared/domain/knowledge/indexing/attempts.ts';
import { readUploadedFile } from '#shared/domain/knowledge/uploaded-file.ts';
import { filePool, type ParsedPage, parsingPool } from '#shared/parsing/parsing-pool.ts';
import { FILE_FORMATS, type FileFormat, type ScrapeOptions } from '#shared/parsing/parsing-tasks.ts';
import { crawlPage } from './crawler.ts';

/** A parsed source. `etag` and `lastModified` are the validators of the response. */
export interface SourceContent {
  page: ParsedPage;
  etag?: string;
  lastModified?: string;
  /** How a page was read; only for scrape types that ask for a browser. */
  scrapeMode?: 'browser' | 'static';
}

/** The scrape type that reads everything on the page. */
const WHOLE_PAGE = 3;
const HTML_TYPE = /html/i;

/** Fetches the source of a content, and records the time and size as the stage `fetch` of the attempt. */
const fetchSource = (attempt: Attempt, options: Parameters<typeof crawlPage>[1]) =>
  runStage(attempt, 'fetch', async (stage) => {
    const result = await crawlPage(attempt.source, options);
    stage.bytes = result.notModified ? 0 : result.body.length;
    return result;
  });

interface FetchedPage {
  url: string;
  body: Uint8Array;
  contentType: string;
}

const validatorsOf = ({ etag, lastModified }: Attempt) => ({ etag, lastModified });

const isFileFormat = (type: string): type is FileFormat => (FILE_FORMATS as readonly string[]).includes(type);

/** Returns the page with the text that its scripts add. Returns a page of a type other than HTML unchanged. */
const render = async (
  page: FetchedPage,
  options: ScrapeOptions | undefined,
  signal: AbortSignal,
): Promise<FetchedPage> => {
  if (!HTML_TYPE.test(page.contentType)) return page;
  const html = await renderPage({ ...page, waitSeconds: options?.time_sleep, signal });
  return { ...page, body: Buffer.from(html), contentType: 'text/html; charset=utf-8' };
};

/**
 * Fetches and parses a page. A page that is rendered in a browser is fetched without validators, because its text may
 * come from other addresses that have changed. Returns null if the page has not changed.
 */
const readPage = async (attempt: Attempt, signal: AbortSignal): Promise<SourceContent | null> => {
  const { scrapeType = 0 } = attempt;
  const isRendered = usesBrowser(scrapeType);
  const crawled = await fetchSource(attempt, { ...(isRendered ? {} : validatorsOf(attempt)), signal });
  if (crawled.notModified) return null;
  const { url, etag, lastModified } = crawled;
  const options = appliesOptions(scrapeType) ? (attempt.scrapeOptions as ScrapeOptions | undefined) : undefined;
  const { body, contentType } = isRendered
    ? await runStage(attempt, 'render', () => render(crawled, options, signal))
    : crawled;
  const wholePage = scrapeType === WHOLE_PAGE;
  const page = await runStage(attempt, 'parse', () =>
    parsingPool.parsePage({ body, contentType, url, wholePage, options }),
  );
  return { page, etag, lastModified, scrapeMode: scrapeModeOf(scrapeType) };
};

/** Returns a title for a document without one: the name of its file without the extension. */
const titleOfName = (name: string): string => name.replace(/\.\w{1,5}$/, '').replace(/_+/g, ' ');

const readFile = async (attempt: Attempt, format: FileFormat, signal: AbortSignal): Promise<SourceContent | null> => {
  const { id_project, source, name, text, chunkRegex: pattern } = attempt;
  const parse = ({ body, contentType }: { body: Uint8Array; contentType: string }) =>
    runStage(attempt, 'parse', () =>
      filePool.parseFile({ body, contentType, format, title: titleOfName(name), pattern }),
    );
  if (text) return { page: await parse({ body: Buffer.from(text), contentType: 'text/plain; charset=utf-8' }) };
  const uploaded = await readUploadedFile(id_project, source);
  if (uploaded) return { page: await parse(uploaded) };
  const crawled = await fetchSource(attempt, { ...validatorsOf(attempt), signal, acceptFiles: true });
  if (crawled.notModified) return null;
  return { page: await parse(crawled), etag: crawled.etag, lastModified: crawled.lastModified };
};

/** Reads and parses the source of a content. Returns null if the server answers that the source has not changed. */
export const readSource = async (attempt: Attempt, signal: AbortSignal): Promise<SourceContent | null> => {
  const { type, text, name } = attempt;
  if (type === 'url') return readPage(attempt, signal);
  if (isFileFormat(type)) return readFile(attempt, type, signal);
  return { page: await runStage(attempt, 'parse', () => parsingPool.parseText({ text, title: name })) };
};
