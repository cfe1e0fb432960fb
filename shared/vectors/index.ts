/** The chunk index of this installation. */
import { join } from 'node:path';
import { config } from '#shared/config.ts';
import type { ChunkIndex } from './chunk-index.ts';
import { hasTables } from './lance-folders.ts';
import { lanceIndex } from './lance-index.ts';
import type { LanceOptions } from './lance-options.ts';
import { loadLibraries } from './lance-table-location.ts';
import { qdrantIndex } from './qdrant-index.ts';

export {
  type ChunkHit,
  type ChunkHits,
  type ChunkIndex,
  chunkCountOf,
  IndexMissingError,
  type IndexRow,
  type IndexSpace,
  IndexUnavailableError,
} from './chunk-index.ts';

let currentIndex: ChunkIndex | undefined;

/** Opens the index on a Qdrant server. */
export const openQdrant = (url: string): ChunkIndex => qdrantIndex({ url, apiKey: config.QDRANT_API_KEY });

const lanceRoot = (): string => join(config.DATA_DIR, 'lancedb');

let lanceOptions: LanceOptions = {};

/** Opens the index in this installation's folder. */
export const openLance = (): ChunkIndex => lanceIndex(lanceRoot(), join(config.DATA_DIR, 'locks'), lanceOptions);

const openConfigured = (): ChunkIndex => (config.QDRANT_URL ? openQdrant(config.QDRANT_URL) : openLance());

/** Returns the configured index: Qdrant if QDRANT_URL is set, otherwise LanceDB, which serves a single host. */
export const chunkIndex = (): ChunkIndex => (currentIndex ??= openConfigured());

/**
 * Loads the libraries of LanceDB if LanceDB is the configured index. Loading blocks the process for about 0.5 s.
 * Rejects if a library is missing.
 */
export const loadIndexLibraries = async (): Promise<void> => {
  if (chunkIndex().name === 'lancedb') await loadLibraries();
};

/** Loads the libraries of LanceDB if the index has tables, so that no search waits until the libraries are loaded. */
export const preloadIndex = async (): Promise<void> => {
  if (await hasTables(lanceRoot())) await loadIndexLibraries();
};

const WRITER_CACHE_MIB = 64;

/**
 * Limits the memory used by the index in a process that writes to the index but seldom searches it. Call this before
 * the index is first used.
 */
export const limitIndexMemory = (): void => {
  lanceOptions = { cacheMib: WRITER_CACHE_MIB };
};

/** For tests: replaces the index. With `undefined`, the next call to `chunkIndex` opens the configured one. */
export const setChunkIndex = (replacement: ChunkIndex | undefined): void => {
  currentIndex = replacement;
};
