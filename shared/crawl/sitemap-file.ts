/** One file of a sitemap, however large, at little memory of this process. */
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { config } from '#shared/config.ts';
import { AppError } from '#shared/errors.ts';
import { fetchGuarded, type Head } from '#shared/fetch.ts';
import { type ParsedSitemap, parsing } from '#shared/parsing/pool.ts';
import { until } from './until.ts';

/** Bytes of a file that is read beside others; larger ones have their turn alone. */
const SMALL = 1_000_000;

const onHead = ({ status }: Head) => {
  if (status >= 400) throw new AppError(422, `HTTP_${status}`, `The site answered ${status}`);
};

const readSmall = async (url: string, signal: AbortSignal): Promise<ParsedSitemap> => {
  const { body } = await fetchGuarded(url, { maxBytes: Math.min(SMALL, config.SITEMAP_MAX_BYTES), signal, onHead });
  return parsing.parseSitemap(body, signal);
};

/** By way of the disk: the file goes on to the parsing thread without ever being here whole. */
const readLarge = async (url: string, signal: AbortSignal): Promise<ParsedSitemap> => {
  const folder = await mkdtemp(join(tmpdir(), 'sitemap-'));
  const file = join(folder, 'sitemap');
  const into = () => createWriteStream(file);
  try {
    await fetchGuarded(url, { maxBytes: config.SITEMAP_MAX_BYTES, signal, onHead, into });
    return await parsing.parseSitemapFile(file, signal);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

let lastLarge: Promise<unknown> = Promise.resolve();

/** One after the other, or a few conversions would fill the disk and the parsing thread; nobody waits beyond the signal. */
const inTurn = <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
  const turn = lastLarge.then(() => {
    signal.throwIfAborted();
    return work();
  });
  lastLarge = turn.catch(() => undefined);
  return until(turn, signal);
};

const isLarge = (error: unknown) =>
  error instanceof AppError && error.code === 'TOO_LARGE' && config.SITEMAP_MAX_BYTES > SMALL;

/** What a sitemap's file lists; a large one waits for its turn. Throws why it can't be read, or the reason of the signal. */
export const readSitemapFile = async (url: string, signal: AbortSignal): Promise<ParsedSitemap> => {
  try {
    return await readSmall(url, signal);
  } catch (error) {
    if (!isLarge(error)) throw error;
  }
  return inTurn(signal, () => readLarge(url, signal));
};
