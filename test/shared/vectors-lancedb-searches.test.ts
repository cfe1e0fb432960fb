import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from '@lancedb/lancedb';
import { expect } from 'chai';
import type { ChunkIndex } from '#shared/vectors/index.ts';
import { lanceIndex } from '#shared/vectors/lance-index.ts';
import { aRow, aSpace } from '../support/chunk-rows.ts';
import { aTemporaryFolder } from '../support/temporary-folder.ts';

describe('LanceDB searches', () => {
  let folder: string;
  let root: string;
  let index: ChunkIndex;

  beforeEach(async () => {
    folder = await aTemporaryFolder('vectors-');
    root = join(folder, 'lancedb');
    index = lanceIndex(root, join(folder, 'locks'));
  });
  afterEach(async () => {
    await index.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('LanceDB looks up the latest version of a table once for the searches made in one tick', async () => {
    const space = aSpace({ dimension: null });
    const rows = ['one word', 'another word'].map((text) => aRow(text));
    await index.add(space, rows);
    const table = Object.getPrototypeOf(
      await (await connect(join(root, space.project))).openTable(`${space.namespace}_text`),
    );
    const { checkoutLatest } = table;
    let lookUps = 0;
    table.checkoutLatest = function countLookUp(this: unknown) {
      lookUps += 1;
      return checkoutLatest.call(this);
    };
    try {
      const searches = ['one', 'another', 'word'].map((text) => index.search(space, { text, limit: 5 }));
      const found = (await Promise.all(searches)).map(({ text }) => text.length);
      expect({ found, lookUps }).to.deep.equal({ found: [1, 1, 2], lookUps: 1 });
    } finally {
      table.checkoutLatest = checkoutLatest;
    }
  });
});
