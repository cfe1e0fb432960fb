/** Retrieval: the passages of a namespace that answer a question, and whether they do. */
import { embedder } from '../embedding/embedder.ts';
import { spaceOf } from '../domain/knowledge/chunks.ts';
import type { Question } from '../vectors/chunk-index.ts';
import { chunkIndex, type Hits, type Space } from '../vectors/index.ts';
import { candidatesOf, type Place, taggedContents } from './candidates.ts';
import { diversify } from './diversify.ts';
import { type Evidence, judge, MISSING, type Mode, signsOf } from './evidence.ts';
import { type KnownWord, knownWords } from './knowledge.ts';
import { ALPHA, type Ranked, rank } from './rank.ts';
import { subjectOf } from './subject.ts';
import { contentWords, namesIn } from './words.ts';

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

/** Best hits of each side that are ranked; what the join with MongoDB drops is made up for by depth. */
const DEPTH = 100;
/** Hits asked for, for each that is ranked: a vector index then misses 0.5 % of the best hundred, and not 2 %. */
const SPARE = 2;
const MOST_STRANGERS = 8;

async function hitsOf(space: Space, question: Omit<Question, 'limit'>, limit: number): Promise<Hits> {
  const { text, vector } = await chunkIndex().search(space, { ...question, limit: SPARE * limit });
  return { text: text.slice(0, limit), vector: vector.slice(0, limit) };
}

/** Vectors for texts of a person who waits; none without a model. */
const vectorsOf = async (texts: string[], project: string, signal?: AbortSignal): Promise<Float32Array[]> =>
  (await embedder()?.embed(texts, { project, priority: true, signal })) ?? [];

/** Vectors of the words that a namespace lacks, some 5 ms each. */
const strangersAmong = (words: KnownWord[], project: string, signal?: AbortSignal): Promise<Float32Array[]> => {
  const missing = words.filter(({ passages }) => passages <= MISSING).slice(0, MOST_STRANGERS);
  return vectorsOf(
    missing.map(({ word }) => word),
    project,
    signal,
  );
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
  signal?.throwIfAborted();
  const space = spaceOf(place);
  const contents = tags?.length ? await taggedContents(place, tags) : undefined;
  const [vector] = await vectorsOf([question], place.id_project, signal);
  const mode: Mode = vector ? 'hybrid' : 'full text';
  if (contents?.length === 0) return nothing(mode);
  const text = contentWords(question).join(' ') || question;
  const [hits, words, subject] = await Promise.all([
    hitsOf(space, { text, vector, contents }, Math.max(DEPTH, limit)),
    knownWords(space, question, contents),
    subjectOf(place, embedder()),
  ]);
  const [candidates, strangers] = await Promise.all([
    candidatesOf(place, hits, vector ?? null),
    strangersAmong(words, place.id_project, signal),
  ]);
  if (candidates.length === 0) return nothing(mode);
  const passages = rank(candidates, { asked: words, alpha: shareOf(mode, options) });
  const chosen = searchType === 'mmr' ? diversify(passages, limit) : passages.slice(0, limit);
  const evidence = judge(signsOf({ words, names: namesIn(question), passages, strangers, subject }), mode);
  return { passages: chosen.map(toPassage), evidence, mode };
}
