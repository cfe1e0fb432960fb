import { cosine } from './cosine.ts';
import type { Ranked } from './rank.ts';

/** Share of relevance, the rest is newness; less than half, as a score can be more than 1 and likeness can not. */
const RELEVANCE = 0.4;
/** Passages chosen among, as the cost grows with their number. */
const AMONG = 50;

/** Maximal marginal relevance: each next passage is the best that is least like those before it. */
export function diversify(ranked: Ranked[], limit: number): Ranked[] {
  const left = ranked.slice(0, Math.max(AMONG, limit)).map((passage) => ({ passage, like: 0 }));
  const chosen: Ranked[] = [];
  while (chosen.length < limit && left.length > 0) {
    const worth = left.map(({ passage, like }) => RELEVANCE * passage.score - (1 - RELEVANCE) * like);
    const [next] = left.splice(worth.indexOf(Math.max(...worth)), 1);
    if (!next) break;
    chosen.push(next.passage);
    for (const other of left) other.like = Math.max(other.like, cosine(next.passage.vector, other.passage.vector));
  }
  return chosen;
}
