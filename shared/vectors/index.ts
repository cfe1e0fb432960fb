/** The derived index of chunks: by words and by meaning. */
import { join } from 'node:path';
import { config } from '#shared/config.ts';
import type { ChunkIndex } from './chunk-index.ts';
import { lanceIndex } from './lancedb.ts';
import { qdrantIndex } from './qdrant.ts';

export {
  type ChunkIndex,
  type Hit,
  type Hits,
  IndexDown,
  IndexLost,
  type Row,
  type Space,
} from './chunk-index.ts';

let index: ChunkIndex | undefined;

function open(): ChunkIndex {
  if (config.QDRANT_URL) return qdrantIndex({ url: config.QDRANT_URL, apiKey: config.QDRANT_API_KEY });
  return lanceIndex(join(config.DATA_DIR, 'lancedb'), join(config.DATA_DIR, 'lanes'));
}

/** The index in force: Qdrant where a server is set, otherwise LanceDB, which serves one host only. */
export const chunkIndex = (): ChunkIndex => (index ??= open());
