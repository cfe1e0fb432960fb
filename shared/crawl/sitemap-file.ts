/** Reads one sitemap file of any permitted size with little memory. */
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { config } from '#shared/config.ts';
import { AppError } from '#shared/errors.ts';
import { abortable } from '../concurrency/abortable.ts';
import { runExclusive } from '../concurrency/keyed-mutex.ts';
import { fetchGuarded } from '../fetch/guarded-fetch.ts';
import { type ParsedSitemap, parsingPool } from '../parsing/parsing-pool.ts';
import { checkStatus } from './response-checks.ts';

/** Files up to this size are read concurrently; larger files are read one at a time. */
const MAX_SMALL_BYTES = 1_000_000;

const readSmall = async (url: string, signal: AbortSignal): Promise<ParsedSitemap> => {
  const { body } = await fetchGuarded(url, {
    maxBytes: Math.min(MAX_SMALL_BYTES, config.SITEMAP_MAX_BYTES),
    signal,
    onHead: checkStatus,
  });
  return parsingPool.parseSitemap(body, signal);
};

/** Streams the file to disk for the parsing thread, so that this process never holds it in memory. */
const readLarge = async (url: string, signal: AbortSignal): Promise<ParsedSitemap> => {
  const folder = await mkdtemp(join(tmpdir(), 'sitemap-'));
  const file = join(folder, 'sitemap');
  const createSink = () => createWriteStream(file);
  try {
    await fetchGuarded(url, { maxBytes: config.SITEMAP_MAX_BYTES, signal, onHead: checkStatus, createSink });
    return await parsingPool.parseSitemapFile(file, signal);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** Reads large files one at a time, because several together could fill the disk and block the parsing thread. */
const readLargeExclusive = (url: string, signal: AbortSignal): Promise<ParsedSitemap> => {
  const work = async () => {
    signal.throwIfAborted();
    return readLarge(url, signal);
  };
  return abortable(runExclusive('large sitemap', work), signal);
};

const isLarge = (error: unknown) =>
  error instanceof AppError && error.code === 'TOO_LARGE' && config.SITEMAP_MAX_BYTES > MAX_SMALL_BYTES;

/**
 * Returns the URLs of a sitemap file. Large files are read one after the other. Throws if the file cannot be read, and
 * throws the signal's reason when it aborts.
 */
export const readSitemapFile = async (url: string, signal: AbortSignal): Promise<ParsedSitemap> => {
  try {
    return await readSmall(url, signal);
  } catch (error) {
    if (!isLarge(error)) throw error;
  }
  return readLargeExclusive(url, signal);
};
