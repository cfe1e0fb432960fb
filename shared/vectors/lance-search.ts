import type { Table } from '@lancedb/lancedb';
import type { Hit, Question } from './chunk-index.ts';
import { libraries } from './lance-part.ts';

/** Candidates of the HNSW search, at least; with the default one neighbour in five is missed. */
const LEAST_EF = 64;
const REFINE = 2;

type Fetch = (limit: number) => Promise<Hit[]>;

/** The best row of each id, best first; a NaN score, as of a vector of zeros, is no find. */
function withoutRepeats(hits: Hit[]): Hit[] {
  const seen = new Set<string>();
  const sound = hits.filter(({ score }) => !Number.isNaN(score)).toSorted((a, b) => b.score - a.score);
  return sound.filter(({ id }) => !seen.has(id) && seen.add(id));
}

/** Rows may be there twice: asks for more until `limit` different ones are found or none are left. */
async function different(limit: number, fetch: Fetch): Promise<Hit[]> {
  for (let take = limit + 8; ; take *= 4) {
    const rows = await fetch(take);
    const hits = withoutRepeats(rows);
    if (hits.length >= limit || rows.length < take) return hits.slice(0, limit);
  }
}

/** The ids were checked: LanceDB's filters have no parameters. */
const whereContent = (contents: string[]) => `content IN (${contents.map((id) => `'${id}'`).join(',')})`;

/** Finds by words; the question is data, never a query language. Any word may match. */
export async function searchText(table: Table, text: string, { limit, contents }: Question): Promise<Hit[]> {
  const { lance } = await libraries();
  return different(limit, async (take) => {
    const query = table.query().fullTextSearch(new lance.MatchQuery(text, 'text'));
    if (contents) query.where(whereContent(contents));
    const rows = await query.select(['id', 'content', 'attempt', '_score']).limit(take).toArray();
    return rows.map(({ id, content, attempt, _score }) => ({ id, content, attempt, score: _score }));
  });
}

/** Finds by meaning: cosine similarity. */
export async function searchVector(table: Table, vector: Float32Array, { limit, contents }: Question): Promise<Hit[]> {
  return different(limit, async (take) => {
    const query = table.query().nearestTo(vector).distanceType('cosine');
    query.ef(Math.max(LEAST_EF, take * 2)).refineFactor(REFINE);
    if (contents) query.where(whereContent(contents));
    const rows = await query.select(['id', 'content', 'attempt', '_distance']).limit(take).toArray();
    return rows.map(({ id, content, attempt, _distance }) => ({ id, content, attempt, score: 1 - _distance }));
  });
}
