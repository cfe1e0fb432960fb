/** Sitemaps → the pages they list (contract c 2.11). */
import { config } from '../../config.ts';
import { readSitemapFile } from '../../crawl/sitemap-file.ts';
import { AppError } from '../../errors.ts';
import { AddressList } from '../../parsing/address-list.ts';
import type { ParsedSitemap } from '../../parsing/pool.ts';

const AT_ONCE = 10;
const MAX_FILES = 500;
const MAX_DEPTH = 3;
/** What one conversion may take; what was not read by then is an error like any other. */
const DEADLINE_MS = 120_000;

/** Why one file came to nothing; its pages are then missing from the list. */
export interface SitemapError {
  type: string;
  message: string;
  url: string;
  retries: number;
}

interface Conversion {
  url: string;
  sites: AddressList;
  errors: SitemapError[];
  files: number;
  /** Of the caller, who may leave, and of the whole conversion. */
  signal: AbortSignal;
  deadline: AbortSignal;
}

/** The names known clients read. */
const TYPES: Record<string, string> = {
  TIMEOUT: 'CancelError',
  UNKNOWN_SITEMAP: 'UnknownStateError',
  BAD_URL: 'TypeError',
};

const LATE = { code: 'TIMEOUT', message: `Not read within the ${DEADLINE_MS / 1000} s of a conversion` };

const noted = (conversion: Conversion, url: string, { code, message }: { code: string; message: string }): void => {
  const type = TYPES[code] ?? (code.startsWith('HTTP_') ? 'HTTPError' : 'RequestError');
  conversion.errors.push({ type, message: `${code}: ${message}`, url, retries: 0 });
};

const FULL = {
  code: 'TOO_MANY',
  message: `Only ${config.SITEMAP_MAX_URLS} pages are listed, fewer where their addresses are very long`,
};

const addSites = (conversion: Conversion, url: string, { urls, truncated }: ParsedSitemap): void => {
  if (!urls.every((site) => conversion.sites.add(site)) || truncated) noted(conversion, url, FULL);
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
  const left = files.values();
  const reader = async () => {
    for (const file of left) {
      // A further file could only tell what is left out.
      if (conversion.sites.isFull) return noted(conversion, file, FULL);
      await addFile(conversion, file, depth + 1);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, reader));
};

const addFile = async (conversion: Conversion, url: string, depth = 0): Promise<void> => {
  const { signal, deadline } = conversion;
  try {
    const file = await readSitemapFile(url, AbortSignal.any([signal, deadline]));
    if (file.kind === 'urlset') addSites(conversion, url, file);
    else await addIndex(conversion, url, { urls: file.urls, depth });
  } catch (error) {
    if (signal.aborted) throw error;
    if (deadline.aborted) noted(conversion, url, LATE);
    else if (error instanceof AppError) noted(conversion, url, error);
    else throw error;
  }
};

/** The pages of a sitemap and of the files its index names, each once, and a true reason for every file that could not be read. */
export const convert = async (url: string, signal: AbortSignal) => {
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  const conversion: Conversion = {
    url,
    sites: new AddressList(config.SITEMAP_MAX_URLS),
    errors: [],
    files: 0,
    signal,
    deadline,
  };
  await addFile(conversion, url);
  return { url, sites: conversion.sites.addresses, errors: conversion.errors };
};
