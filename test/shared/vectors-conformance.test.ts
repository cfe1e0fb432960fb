import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { config } from '#shared/config.ts';
import type { ChunkIndex } from '#shared/vectors/index.ts';
import { lanceIndex } from '#shared/vectors/lance-index.ts';
import { qdrantIndex } from '#shared/vectors/qdrant-index.ts';
import { startQdrantShim } from '../support/qdrant-shim.ts';
import { alphaTests } from './vectors-conformance/alpha-tests.ts';
import { inputTests } from './vectors-conformance/input-tests.ts';
import { searchTests } from './vectors-conformance/search-tests.ts';
import { storageTests } from './vectors-conformance/storage-tests.ts';

function conformance(
  title: string,
  open: (this: Mocha.Context) => Promise<{ index: ChunkIndex; end(): Promise<void> }>,
) {
  describe(`Chunk index on ${title}`, () => {
    let index: ChunkIndex;
    let end = async () => {};

    before(async function () {
      ({ index, end } = await open.call(this));
    });
    after(() => end());

    searchTests(() => index);
    storageTests(() => index);
    inputTests(() => index);
    alphaTests(() => index);
  });
}

conformance('LanceDB', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vectors-'));
  const index = lanceIndex(join(folder, 'lancedb'), join(folder, 'lanes'));
  const end = async () => {
    await index.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { index, end };
});

conformance('Qdrant', async function () {
  const apiKey = config.QDRANT_API_KEY;
  if (config.QDRANT_URL)
    return { index: qdrantIndex({ url: config.QDRANT_URL, apiKey, prefix: 'suite' }), end: async () => {} };
  try {
    const shim = await startQdrantShim();
    return { index: qdrantIndex({ url: shim.url }), end: shim.stop };
  } catch (error) {
    console.log(`      not run: the Qdrant engine could not be started (${String(error).split('\n')[0]})`);
    return this.skip();
  }
});
