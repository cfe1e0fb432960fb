import { expect } from 'chai';
import type { Candidate } from '#shared/domain/knowledge/retrieval/candidates.ts';
import { rankCandidates } from '#shared/domain/knowledge/retrieval/rank.ts';
import type { ChunkIndex, IndexRow } from '#shared/vectors/index.ts';
import { cosine } from '#shared/vectors/vector.ts';
import { aRow, aSpace, vectorOf } from '../../support/chunk-rows.ts';

const ALPHAS = Array.from({ length: 21 }, (_, index) => index / 20);
const QUESTION_VECTOR = vectorOf(1, 0, 0, 0);

/** Each row matches fewer words of the question than the row before it, and its vector is nearer to the question's. */
const ROWS = [
  aRow('bread yeast flour', { vector: vectorOf(0.1, 1, 0, 0) }),
  aRow('bread yeast sugar', { vector: vectorOf(0.5, 1, 0, 0) }),
  aRow('bread honey sugar', { vector: vectorOf(1, 1, 0, 0) }),
  aRow('maize honey sugar', { vector: vectorOf(1, 0.1, 0, 0) }),
];

const toCandidate = ({ id, content, text, vector }: IndexRow, bm25: number): Candidate => {
  const similarity = cosine(QUESTION_VECTOR, vector);
  const page = { content, index: 0, chunkCount: 1, source: content, name: '', headings: [] };
  return { id, ...page, text, bm25, cosine: similarity, firstChunkCosine: similarity, vector };
};

/** Tests of `alpha`, the weight between the two searches of a chunk index: by text (0) and by vector (1). */
export function alphaTests(index: () => ChunkIndex): void {
  it('`alpha` moves the ranking steadily from full text to vectors', async () => {
    const space = aSpace();
    await index().add(space, ROWS);
    const search = (text: string) => index().search(space, { text, vector: QUESTION_VECTOR, limit: 10 });
    const { text: hits, vector: vectorHits } = await search('bread yeast flour');
    const scores = new Map(hits.map(({ id, score }) => [id, score]));
    const candidates = ROWS.map((row) => toCandidate(row, scores.get(row.id) ?? 0));
    const score = hits[0]?.score ?? 0;
    const words = ['bread', 'yeast', 'flour'].map((word) => ({
      word,
      chunkCount: 1,
      score,
      chunksByContent: new Map(),
    }));
    const ranking = (alpha: number) => rankCandidates(candidates, { words, alpha }).map(({ id }) => id);
    expect(ranking(0).slice(0, hits.length)).to.deep.equal(hits.map(({ id }) => id));
    expect(ranking(1)).to.deep.equal(vectorHits.map(({ id }) => id));
    const positions = (id: string) => ALPHAS.map((alpha) => ranking(alpha).indexOf(id));
    const byWords = positions(ROWS[0]?.id ?? '');
    const byVector = positions(ROWS.at(-1)?.id ?? '');
    expect(byWords).to.deep.equal(byWords.toSorted((a, b) => a - b));
    expect(byVector).to.deep.equal(byVector.toSorted((a, b) => b - a));
    expect([byWords[0], byWords.at(-1), byVector[0], byVector.at(-1)]).to.deep.equal([0, 3, 3, 0]);
  });
}
