/** What was found, joined with MongoDB: only passages of a content's current attempt are anyone's knowledge. */
import { vectorOf } from '../domain/knowledge/chunks.ts';
import { KbChunk } from '../models/kb-chunk.ts';
import { KbContent } from '../models/kb-content.ts';
import type { Hit, Hits } from '../vectors/index.ts';
import { cosine } from './cosine.ts';

/** Where is searched. */
export interface Place {
  id_project: string;
  namespace: string;
}

/** A passage that may answer, with the two ways it was found: BM25, and cosine (0 without vectors). */
export interface Candidate {
  id: string;
  content: string;
  index: number;
  /** How many passages its content has. */
  passages: number;
  source: string;
  name: string;
  headings: string[];
  text: string;
  words: number;
  meaning: number;
  /** Cosine of the content's opening passage: what the whole page is about. */
  opening: number;
  vector: Float32Array | null;
}

type Current = { source: string; name: string; current: string; passages: number };

/** Ids of the contents that have all of these tags. */
export const taggedContents = async ({ id_project, namespace }: Place, tags: string[]): Promise<string[]> => {
  const found = await KbContent.find({ id_project, namespace, tags: { $all: tags } }, { _id: 1 }).lean();
  return found.map(({ _id }) => String(_id));
};

const currentOf = async ({ id_project, namespace }: Place, hits: Hit[]): Promise<Map<string, Current>> => {
  const ids = [...new Set(hits.map(({ content }) => content))];
  const fields = { source: 1, name: 1, current: 1, chunks: 1 };
  const found = await KbContent.find({ _id: { $in: ids }, id_project, namespace }, fields).lean();
  return new Map(
    found.flatMap(({ _id, source, name, current, chunks: passages }) =>
      current ? [[String(_id), { source, name, current, passages }]] : [],
    ),
  );
};

const CHUNK = { content: 1, attempt: 1, index: 1, headings: 1, text: 1, vector: 1 } as const;

const chunksOf = (id_project: string, ids: string[], contents: Map<string, Current>) => {
  const attempts = [...contents.values()].map(({ current }) => current);
  return Promise.all([
    KbChunk.find({ _id: { $in: ids }, id_project }, CHUNK).lean(),
    KbChunk.find(
      { id_project, content: { $in: [...contents.keys()] }, attempt: { $in: attempts }, index: 0 },
      { content: 1, vector: 1 },
    ).lean(),
  ]);
};

/** The hits that still count, each once, as candidates; `asked` is the question's vector. */
export async function candidatesOf(place: Place, hits: Hits, asked: Float32Array | null): Promise<Candidate[]> {
  const all = [...hits.vector, ...hits.text];
  const contents = await currentOf(place, all);
  const counts = ({ content, attempt }: Hit) => contents.get(content)?.current === attempt;
  const ids = [...new Set(all.filter(counts).map(({ id }) => id))];
  if (ids.length === 0) return [];
  const [chunks, openings] = await chunksOf(place.id_project, ids, contents);
  const words = new Map(hits.text.map(({ id, score }) => [id, score]));
  const opening = new Map(openings.map(({ content, vector }) => [content, cosine(asked, vectorOf(vector))]));
  return chunks.map(({ _id, content, index, headings, text, vector: stored }) => {
    const vector = vectorOf(stored);
    const { source, name, passages } = contents.get(content) as Current;
    const found = { words: words.get(_id) ?? 0, meaning: cosine(asked, vector), opening: opening.get(content) ?? 0 };
    return { id: _id, content, index, passages, source, name, headings, text, ...found, vector };
  });
}
