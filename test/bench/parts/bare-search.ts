/** Searches the LanceDB tables of a namespace without the code of the product. */
import { join } from 'node:path';
import { config } from '#shared/config.ts';
import type { IndexSpace } from '#shared/vectors/index.ts';
import { loadLibraries, locateTextTable, locateVectorTable } from '#shared/vectors/lance-table-location.ts';

/** A full-text search and a vector search in the tables of `space`, with the parameters that the product uses. */
export const aBareSearch = async (space: IndexSpace) => {
  const { lance } = await loadLibraries();
  const root = join(config.DATA_DIR, 'lancedb');
  const store = await lance.connect(join(root, space.project));
  const [texts, vectors] = await Promise.all([
    store.openTable(locateTextTable(root, space).table),
    store.openTable(locateVectorTable(root, space).table),
  ]);
  const byText = (text: string, limit: number) =>
    texts
      .query()
      .fullTextSearch(new lance.MatchQuery(text, 'text'))
      .select(['id', 'content', '_score'])
      .limit(limit)
      .toArray();
  const byVector = (vector: Float32Array, limit: number) =>
    vectors
      .query()
      .nearestTo(vector)
      .distanceType('cosine')
      .ef(4 * limit)
      .refineFactor(4)
      .select(['id', 'content', '_distance'])
      .limit(limit)
      .toArray();
  return async (text: string, vector: Float32Array, limit: number): Promise<string[]> => {
    const found = await Promise.all([byText(text, limit), byVector(vector, limit)]);
    return found.flatMap((rows) => rows.map(({ id }) => id as string));
  };
};
