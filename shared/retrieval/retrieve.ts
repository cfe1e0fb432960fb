/** Retrieval: the passages of a namespace that answer a question, and whether they do. */
import { embedder } from '../embedding/embedder.ts';
import { spaceOf } from '../domain/chunks.ts';
import { chunkIndex } from '../vectors/index.ts';
import { type Candidate, candidatesOf, type Place, taggedContents } from './candidates.ts';
import { diversify } from './diversify.ts';
import { type Evidence, judge, type Mode, signsOf } from './evidence.ts';
import { idealScore, knownWords } from './knowledge.ts';
import { ALPHA, type Ranked, rank } from './rank.ts';
import { contentWords } from './words.ts';

/** A passage found; `id` is its chunk's, `content` the id of what it is from. */
export interface Passage {
  id: string;
  content: string;
  source: string;
  name: string;
  headings: string[];
  text: string;
  score: number;
}

/** How to search. `alpha` is the share of meaning (0 full text … 1 vectors alone); `tags` are all required. */
export interface RetrieveOptions {
  limit: number;
  alpha?: number;
  searchType?: 'similarity' | 'hybrid' | 'mmr';
  tags?: string[];
  signal?: AbortSignal;
}

/** Passages best first, the verdict on them, and whether vectors were there to help. */
export interface Retrieved {
  passages: Passage[];
  evidence: Evidence;
  mode: Mode;
}

/** Hits asked of each side; what the join with MongoDB drops is made up for by depth. */
const DEPTH = 100;

const questionVector = async (
  question: string,
  project: string,
  signal?: AbortSignal,
): Promise<Float32Array | null> => {
  const model = embedder();
  if (!model) return null;
  const [vector] = await model.embed([question], { project, priority: true, signal });
  return vector ?? null;
};

const toPassage = ({ id, content, source, name, headings, text, score }: Ranked): Passage => ({
  id,
  content,
  source,
  name,
  headings,
  text,
  score,
});

const shareOf = (mode: Mode, { alpha, searchType }: RetrieveOptions): number => {
  if (mode === 'full text') return 0;
  return alpha ?? (searchType === 'similarity' ? 1 : ALPHA);
};

const nothing = (mode: Mode): Retrieved => ({ passages: [], evidence: { answerable: false, confidence: 0 }, mode });

/**
 * The best passages of a namespace for a question. Costs one embedding, a full-text and a vector search, a small
 * full-text query for each word and three reads of MongoDB, whatever else is stored. `IndexLost`, `IndexDown` and
 * the embedder's errors are the caller's.
 */
export async function retrieve(place: Place, question: string, options: RetrieveOptions): Promise<Retrieved> {
  const { limit, searchType, tags, signal } = options;
  const space = spaceOf(place);
  const contents = tags?.length ? await taggedContents(place, tags) : undefined;
  const vector = await questionVector(question, place.id_project, signal);
  const mode: Mode = vector ? 'hybrid' : 'full text';
  if (contents?.length === 0) return nothing(mode);
  const text = contentWords(question).join(' ') || question;
  const depth = Math.max(DEPTH, limit * 4);
  const [hits, words] = await Promise.all([
    chunkIndex().search(space, { text, ...(vector && { vector }), limit: depth, contents }),
    knownWords(space, question, contents),
  ]);
  signal?.throwIfAborted();
  const candidates: Candidate[] = await candidatesOf(place, hits, vector);
  if (candidates.length === 0) return nothing(mode);
  const ranked = rank(candidates, { ideal: idealScore(words), alpha: shareOf(mode, options) });
  const chosen = searchType === 'mmr' ? diversify(ranked, limit) : ranked.slice(0, limit);
  return { passages: chosen.map(toPassage), evidence: judge(signsOf(words, ranked), mode), mode };
}
