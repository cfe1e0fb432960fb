/** The chunk index of this installation. */
import { join } from 'node:path';
import { config } from '#shared/config.ts';
import type { ChunkIndex } from './chunk-index.ts';
import { lanceIndex } from './lance-index.ts';
import { qdrantIndex } from './qdrant-index.ts';

export {
  type ChunkHit,
  type ChunkHits,
  type ChunkIndex,
  IndexMissingError,
  type IndexRow,
  type IndexSpace,
  IndexUnavailableError,
} from './chunk-index.ts';

let currentIndex: ChunkIndex | undefined;

/** Opens the index on a Qdrant server. */
export const openQdrant = (url: string): ChunkIndex => qdrantIndex({ url, apiKey: config.QDRANT_API_KEY });

/** Opens the index in this installation's folder. */
export const openLance = (): ChunkIndex => lanceIndex(join(config.DATA_DIR, 'lancedb'), join(config.DATA_DIR, 'locks'));

const openConfigured = (): ChunkIndex => (config.QDRANT_URL ? openQdrant(config.QDRANT_URL) : openLance());

/** Returns the configured index: Qdrant if QDRANT_URL is set, otherwise LanceDB, which serves a single host. */
export const chunkIndex = (): ChunkIndex => (currentIndex ??= openConfigured());

/** For tests: replaces the index. With `undefined`, the next call of `chunkIndex` opens the configured one. */
export const setChunkIndex = (replacement: ChunkIndex | undefined): void => {
  currentIndex = replacement;
};
