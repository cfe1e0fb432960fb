/** Asks a namespace every question of a set, in each way there is to search, and counts. */
import { spaceOf } from '#shared/domain/knowledge/chunks.ts';
import { embedder } from '#shared/embedding/embedder.ts';
import { KbContent } from '#shared/models/kb-content.ts';
import { extract } from '#shared/retrieval/answer.ts';
import type { Place } from '#shared/retrieval/candidates.ts';
import { retrieve } from '#shared/retrieval/retrieve.ts';
import { chunkIndex, type Hit } from '#shared/vectors/index.ts';
import { answerable, type Quality, qualityOf, type Question } from './question-set.ts';

/** What came of one question. */
export interface Asked extends Question {
  text: string[];
  vectors: string[];
  hybrid: string[];
  /** The pages cited; none when it was refused. */
  cited: string[];
  refused: boolean;
  confidence: number;
  answer: string;
  ms: number;
}

/** Counts over a set. */
export interface Trial {
  asked: Asked[];
  quality: Record<'full text' | 'vectors' | 'hybrid', Quality>;
  /** Answerable questions with a right page among the citations. */
  cited: number;
  refused: { answerable: number; near: number; offTopic: number };
}

type PageOf = (source: string) => string;

const DEPTH = 100;
/** Passages an answer is made from, the default `top_k` of the API. */
const TOP_K = 5;

const pageOfContent = async ({ id_project, namespace }: Place, pageOf: PageOf) => {
  const contents = await KbContent.find({ id_project, namespace }, { source: 1 }).lean();
  return new Map(contents.map(({ _id, source }) => [String(_id), pageOf(source)]));
};

async function askOne(place: Place, question: Question, pages: Map<string, string>): Promise<Asked> {
  const once = (contents: string[]) => [...new Set(contents.map((content) => pages.get(content) ?? ''))];
  const pagesOf = (hits: Hit[]) => once(hits.map(({ content }) => content));
  const text = question.question;
  const [vector] = (await embedder()?.embed([text], { project: place.id_project })) ?? [];
  const hits = await chunkIndex().search(spaceOf(place), { text, ...(vector && { vector }), limit: DEPTH });
  const deep = await retrieve(place, text, { limit: DEPTH });
  const started = performance.now();
  const { passages, evidence } = await retrieve(place, text, { limit: TOP_K });
  const { answer, citations } = evidence.answerable
    ? await extract(text, passages, { project: place.id_project })
    : { answer: '', citations: [] };
  const ms = performance.now() - started;
  const bySource = new Map(passages.map(({ source, content }) => [source, content]));
  return {
    ...question,
    text: pagesOf(hits.text),
    vectors: pagesOf(hits.vector),
    hybrid: once(deep.passages.map(({ content }) => content)),
    cited: once(citations.map(({ source }) => bySource.get(source) ?? '')),
    refused: !answer,
    confidence: evidence.confidence,
    answer,
    ms,
  };
}

/** Ask all, one after the other; `pageOf` turns a source into the page that the labels name. */
export async function trial(place: Place, questions: Question[], pageOf: PageOf): Promise<Trial> {
  const pages = await pageOfContent(place, pageOf);
  const asked: Asked[] = [];
  for (const question of questions) asked.push(await askOne(place, question, pages));
  const known = asked.filter(answerable);
  const refused = (some: Asked[]) => some.filter((one) => one.refused).length;
  const quality = (way: 'text' | 'vectors' | 'hybrid') =>
    qualityOf(
      known,
      known.map((one) => one[way]),
    );
  return {
    asked,
    quality: { 'full text': quality('text'), vectors: quality('vectors'), hybrid: quality('hybrid') },
    cited: known.filter(({ cited, pages }) => cited.some((page) => pages.includes(page))).length,
    refused: {
      answerable: refused(known),
      near: refused(asked.filter(({ near }) => near === true)),
      offTopic: refused(asked.filter(({ near }) => near === false)),
    },
  };
}
