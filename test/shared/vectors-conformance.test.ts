import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { config } from '#shared/config.ts';
import type { ChunkIndex } from '#shared/vectors/index.ts';
import { lanceIndex } from '#shared/vectors/lance-index.ts';
import { qdrantIndex } from '#shared/vectors/qdrant-index.ts';
import { startQdrantShim } from '../support/qdrant-shim.ts';
import { alphaTests } from './vectors-conformance/alpha-tests.ts';
import { deadStoreTests } from './vectors-conformance/dead-store-tests.ts';
import { inputTests } from './vectors-conformance/input-tests.ts';
import { modelTests } from './vectors-conformance/model-tests.ts';
import { retrievalTests } from './vectors-conformance/retrieval-tests.ts';
import { searchTests } from './vectors-conformance/search-tests.ts';
import { storageTests } from './vectors-conformance/storage-tests.ts';
import { aTemporaryFolder } from '../support/temporary-folder.ts';

function conformance(
  title: string,
  open: (this: Mocha.Context) => Promise<{ index: ChunkIndex; end(): Promise<void> }>,
  openDead: () => Promise<ChunkIndex>,
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
    modelTests(() => index);
    retrievalTests(() => index);
    inputTests(() => index);
    alphaTests(() => index);
    deadStoreTests(openDead);
  });
}

const openLance = async () => {
  const folder = await aTemporaryFolder('vectors-');
  const index = lanceIndex(join(folder, 'lancedb'), join(folder, 'lanes'));
  const end = async () => {
    await index.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { index, end };
};

/** Opens an index whose folder is a file, so that nothing can be read or written. */
const openDeadLance = async () => {
  const folder = await aTemporaryFolder('vectors-');
  await writeFile(join(folder, 'lancedb'), '');
  return lanceIndex(join(folder, 'lancedb'), join(folder, 'lanes'));
};

async function openQdrant(this: Mocha.Context) {
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
}

conformance('LanceDB', openLance, openDeadLance);
conformance('Qdrant', openQdrant, async () => qdrantIndex({ url: 'http://127.0.0.1:1' }));
