import { cosine } from '../../../vectors/vector.ts';
import type { RankedCandidate } from './rank.ts';

/** The weight of relevance against diversity. It is below 0.5, because scores can exceed 1 and similarities cannot. */
const RELEVANCE_WEIGHT = 0.4;
/** Number of best chunks to choose from; the time to choose grows with it. */
const POOL_SIZE = 50;

/** Chooses chunks by maximal marginal relevance: each is relevant and differs from the chunks chosen before it. */
export function diversify(ranked: RankedCandidate[], limit: number): RankedCandidate[] {
  const pool = ranked.slice(0, Math.max(POOL_SIZE, limit)).map((chunk) => ({ chunk, similarity: 0 }));
  const chosen: RankedCandidate[] = [];
  while (chosen.length < limit && pool.length > 0) {
    const values = pool.map(
      ({ chunk, similarity }) => RELEVANCE_WEIGHT * chunk.score - (1 - RELEVANCE_WEIGHT) * similarity,
    );
    const [next] = pool.splice(values.indexOf(Math.max(...values)), 1);
    if (!next) break;
    chosen.push(next.chunk);
    for (const other of pool)
      other.similarity = Math.max(other.similarity, cosine(next.chunk.vector, other.chunk.vector));
  }
  return chosen;
}
