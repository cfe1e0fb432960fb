/** Sitemaps → the pages they list (contract c 2.11). */
import { config } from '../config.ts';
import { AppError } from '../errors.ts';
import { fetchGuarded } from '../fetch.ts';
import { type ParsedSitemap, parsing } from '../parsing/pool.ts';

const AT_ONCE = 10;
const MAX_FILES = 500;
const MAX_DEPTH = 3;

/** Why one file came to nothing; its pages are then missing from the list. */
export interface SitemapError {
  type: string;
  message: string;
  url: string;
  retries: number;
}

interface Conversion {
  url: string;
  sites: Set<string>;
  errors: SitemapError[];
  files: number;
  signal: AbortSignal;
}

/** The names known clients read. */
const TYPES: Record<string, string> = {
  TIMEOUT: 'CancelError',
  UNKNOWN_SITEMAP: 'UnknownStateError',
  BAD_URL: 'TypeError',
};

const noted = (conversion: Conversion, url: string, { code, message }: { code: string; message: string }): void => {
  const type = TYPES[code] ?? (code.startsWith('HTTP_') ? 'HTTPError' : 'RequestError');
  conversion.errors.push({ type, message: `${code}: ${message}`, url, retries: 0 });
};

const readFile = async (url: string, signal: AbortSignal): Promise<ParsedSitemap> => {
  const { status, body } = await fetchGuarded(url, {
    maxBytes: config.SITEMAP_MAX_BYTES,
    signal,
  });
  if (status >= 400) throw new AppError(422, `HTTP_${status}`, `The site answered ${status}`);
  return parsing.parseSitemap(body);
};

const addSites = (conversion: Conversion, url: string, { urls, truncated }: ParsedSitemap): void => {
  const room = config.SITEMAP_MAX_URLS - conversion.sites.size;
  for (const site of urls.slice(0, room)) conversion.sites.add(site);
  if (truncated || urls.length > room)
    noted(conversion, url, { code: 'TOO_MANY', message: `Only ${config.SITEMAP_MAX_URLS} pages are listed` });
};

const addIndex = async (
  conversion: Conversion,
  url: string,
  { urls, depth }: { urls: string[]; depth: number },
): Promise<void> => {
  if (depth >= MAX_DEPTH)
    return noted(conversion, url, { code: 'TOO_DEEP', message: `Index files are followed ${MAX_DEPTH} levels deep` });
  const room = Math.max(0, MAX_FILES - conversion.files);
  if (urls.length > room) noted(conversion, url, { code: 'TOO_MANY', message: `Only ${MAX_FILES} files are read` });
  const files = urls.slice(0, room);
  conversion.files += files.length;
  for (let start = 0; start < files.length; start += AT_ONCE) {
    await Promise.all(files.slice(start, start + AT_ONCE).map((file) => addFile(conversion, file, depth + 1)));
  }
};

const addFile = async (conversion: Conversion, url: string, depth = 0): Promise<void> => {
  try {
    const file = await readFile(url, conversion.signal);
    if (file.kind === 'urlset') addSites(conversion, url, file);
    else await addIndex(conversion, url, { urls: file.urls, depth });
  } catch (error) {
    if (conversion.signal.aborted || !(error instanceof AppError)) throw error;
    noted(conversion, url, error);
  }
};

/** The pages of a sitemap and of the files its index names, each once, and a true reason for every file that could not be read. */
export const convert = async (url: string, signal: AbortSignal) => {
  const conversion: Conversion = { url, sites: new Set(), errors: [], files: 0, signal };
  await addFile(conversion, url);
  return { url, sites: [...conversion.sites], errors: conversion.errors };
};
