import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { config } from '#shared/config.ts';
import { lanceIndex } from '#shared/vectors/lancedb.ts';
import type { ChunkIndex } from '#shared/vectors/index.ts';
import { qdrantIndex } from '#shared/vectors/qdrant.ts';
import { startQdrantShim } from '../support/qdrant-shim.ts';
import { finds } from './vectors-conformance/finds.ts';
import { keeps } from './vectors-conformance/keeps.ts';
import { refuses } from './vectors-conformance/refuses.ts';

function conformance(
  title: string,
  open: (this: Mocha.Context) => Promise<{ index: ChunkIndex; end(): Promise<void> }>,
) {
  describe(`the ${title} index of chunks`, function () {
    this.timeout(20_000);
    let index: ChunkIndex;
    let end = async () => {};

    before(async function () {
      this.timeout(120_000);
      ({ index, end } = await open.call(this));
    });
    after(() => end());

    finds(() => index);
    keeps(() => index);
    refuses(() => index);
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
    console.log(`      not run: the Qdrant engine could not be had (${String(error).split('\n')[0]})`);
    return this.skip();
  }
});
