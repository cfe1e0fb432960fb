/** Converts a sitemap, or a sitemap index with all the files that it lists, to a list of page URLs. */
import { config } from '../../config.ts';
import { readSitemapFile } from '../../crawl/sitemap-file.ts';
import { AppError } from '../../errors.ts';
import { FetchError } from '../../fetch/guarded-fetch.ts';
import type { ParsedSitemap } from '../../parsing/parsing-pool.ts';
import { UrlList } from '../../parsing/url-list.ts';

const PARALLEL_FILES = 10;
const MAX_FILES = 500;
const MAX_DEPTH = 3;
/** Time limit of one conversion. Files that have not been read when it expires are reported as errors. */
const DEADLINE_MS = 120_000;

/** Why pages are missing from the list: a file could not be read, or only in part, or a limit was exceeded. */
export interface SitemapError {
  type: string;
  message: string;
  url: string;
  retries: number;
}

interface Conversion {
  url: string;
  sites: UrlList;
  errors: SitemapError[];
  /** The error of the first file that could not be read, or only in part. */
  failure?: AppError;
  files: number;
  /** Aborted when the caller disconnects. */
  signal: AbortSignal;
  /** Aborted after DEADLINE_MS. */
  deadline: AbortSignal;
}

/** The error types that deployed clients expect, by error code. */
const CLIENT_ERROR_TYPES: Record<string, string> = {
  TIMEOUT: 'CancelError',
  UNKNOWN_SITEMAP: 'UnknownStateError',
  SITEMAP_BROKEN: 'UnknownStateError',
  INVALID_URL: 'TypeError',
};

const deadlineError = () =>
  new FetchError('TIMEOUT', `The conversion took more than ${DEADLINE_MS / 1000} s`, {
    hint: 'Check that the server responds quickly, or split the sitemap.',
    transient: true,
  });

const brokenError = () =>
  new FetchError('SITEMAP_BROKEN', 'The file ends, or stops being XML, before the end of its root element', {
    hint: 'Check that the server sends the whole file, and that it is valid XML.',
    transient: true,
  });

const addError = (conversion: Conversion, url: string, { code, message }: { code: string; message: string }): void => {
  const type = CLIENT_ERROR_TYPES[code] ?? (code.startsWith('HTTP_') ? 'HTTPError' : 'RequestError');
  conversion.errors.push({ type, message: `${code}: ${message}`, url, retries: 0 });
};

/** Adds the error of a file that could not be read, or only in part. */
const addFailure = (conversion: Conversion, url: string, failure: AppError): void => {
  conversion.failure ??= failure;
  addError(conversion, url, failure);
};

/** The error code for the limits on the number of pages, the length of their URLs, and the number of files. */
const LIMIT_CODE = 'TOO_MANY_SITEMAPS';

const PAGE_LIMIT_ERROR = {
  code: LIMIT_CODE,
  message: `A conversion returns at most ${config.SITEMAP_MAX_URLS} pages, fewer if their URLs are very long`,
};

const addSites = (conversion: Conversion, url: string, { urls, truncated }: ParsedSitemap): void => {
  if (!urls.every((site) => conversion.sites.add(site)) || truncated) addError(conversion, url, PAGE_LIMIT_ERROR);
};

const addIndex = async (
  conversion: Conversion,
  url: string,
  { urls, depth }: { urls: string[]; depth: number },
): Promise<void> => {
  if (depth >= MAX_DEPTH)
    return addError(conversion, url, {
      code: 'SITEMAP_INDEX_TOO_DEEP',
      message: `Index files are followed to a depth of at most ${MAX_DEPTH} levels`,
    });
  const remainingFiles = Math.max(0, MAX_FILES - conversion.files);
  if (urls.length > remainingFiles)
    addError(conversion, url, { code: LIMIT_CODE, message: `A conversion reads at most ${MAX_FILES} files` });
  const files = urls.slice(0, remainingFiles);
  conversion.files += files.length;
  const queue = files.values();
  const readRemaining = async () => {
    for (const file of queue) {
      // If the list is full, the file need not be read.
      if (conversion.sites.isFull) return addError(conversion, file, PAGE_LIMIT_ERROR);
      await addFile(conversion, file, depth + 1);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL_FILES }, readRemaining));
};

const addFile = async (conversion: Conversion, url: string, depth = 0): Promise<void> => {
  const { signal, deadline } = conversion;
  try {
    const file = await readSitemapFile(url, AbortSignal.any([signal, deadline]));
    if (file.isBroken) addFailure(conversion, url, brokenError());
    if (file.kind === 'urlset') addSites(conversion, url, file);
    else await addIndex(conversion, url, { urls: file.urls, depth });
  } catch (error) {
    if (signal.aborted) throw error;
    if (deadline.aborted) addFailure(conversion, url, deadlineError());
    else if (error instanceof AppError) addFailure(conversion, url, error);
    else throw error;
  }
};

/**
 * Returns the distinct page URLs of a sitemap and of the files that it lists, an error for each file that could not be
 * read completely or exceeds a limit, and the error of the first file that could not be read completely.
 */
export const readSitemap = async (url: string, signal: AbortSignal) => {
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  const conversion: Conversion = {
    url,
    sites: new UrlList(config.SITEMAP_MAX_URLS),
    errors: [],
    files: 0,
    signal,
    deadline,
  };
  await addFile(conversion, url);
  return { sites: conversion.sites.urls, errors: conversion.errors, failure: conversion.failure };
};

/** Returns the pages and the errors of `readSitemap` in the form that the API returns. */
export const convertSitemap = async (url: string, signal: AbortSignal) => {
  const { sites, errors } = await readSitemap(url, signal);
  return { url, sites, errors };
};
