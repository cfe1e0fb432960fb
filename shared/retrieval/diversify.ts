import type { Ranked } from './rank.ts';

/** Share of relevance, the rest is newness. */
const RELEVANCE = 0.6;
/** Passages chosen among, as the cost grows with their number. */
const AMONG = 50;

const likeness = ({ vector: one }: Ranked, { vector: other }: Ranked): number => {
  if (!one || !other || one.length !== other.length) return 0;
  return one.reduce((sum, value, at) => sum + value * (other[at] as number), 0);
};

/** Maximal marginal relevance: each next passage is the best that is least like those before it. */
export function diversify(ranked: Ranked[], limit: number): Ranked[] {
  const left = ranked.slice(0, Math.max(AMONG, limit)).map((passage) => ({ passage, like: 0 }));
  const chosen: Ranked[] = [];
  while (chosen.length < limit && left.length > 0) {
    const worth = left.map(({ passage, like }) => RELEVANCE * passage.score - (1 - RELEVANCE) * like);
    const [next] = left.splice(worth.indexOf(Math.max(...worth)), 1);
    if (!next) break;
    chosen.push(next.passage);
    for (const other of left) other.like = Math.max(other.like, likeness(next.passage, other.passage));
  }
  return chosen;
}
