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
  type IndexEntry,
  IndexMissingError,
  type IndexRow,
  type IndexSpace,
  IndexUnavailableError,
} from './chunk-index.ts';

let currentIndex: ChunkIndex | undefined;

function openIndex(): ChunkIndex {
  if (config.QDRANT_URL) return qdrantIndex({ url: config.QDRANT_URL, apiKey: config.QDRANT_API_KEY });
  return lanceIndex(join(config.DATA_DIR, 'lancedb'), join(config.DATA_DIR, 'locks'));
}

/** Returns the configured index: Qdrant if QDRANT_URL is set, otherwise LanceDB, which serves a single host. */
export const chunkIndex = (): ChunkIndex => (currentIndex ??= openIndex());
