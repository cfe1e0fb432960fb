/** Runs every question of a set against a namespace, with each kind of search, and measures the quality. */
import { type NamespaceKey, indexSpaceOf } from '#shared/domain/knowledge/indexing/chunks.ts';
import { extractAnswer } from '#shared/domain/knowledge/retrieval/extract-answer.ts';
import { retrieve } from '#shared/domain/knowledge/retrieval/retrieve.ts';
import { embedder } from '#shared/embedding/embedder.ts';
import { KbContent } from '#shared/models/kb-content.ts';
import { type ChunkHit, chunkIndex } from '#shared/vectors/index.ts';
import { isAnswerable, type Quality, type Question, qualityOf } from './question-set.ts';

/** The result of one question. */
export interface QuestionResult extends Question {
  /** The pages found by each kind of search, best first. */
  text: string[];
  vectors: string[];
  hybrid: string[];
  /** The cited pages; none if the question was refused. */
  cited: string[];
  /** Whether the answer was "no answer". */
  refused: boolean;
  confidence: number;
  answer: string;
  ms: number;
}

/** The results of a set and their totals. */
export interface RetrievalTrial {
  results: QuestionResult[];
  quality: Record<'full text' | 'vectors' | 'hybrid', Quality>;
  /** The number of answerable questions with a correct page among the citations. */
  cited: number;
  refused: { answerable: number; near: number; offTopic: number };
}

type PageOfSource = (source: string) => string;

const DEPTH = 100;
/** The number of chunks used for an answer: the default `top_k` of the API. */
const TOP_K = 5;

const pageOfContent = async ({ id_project, namespace }: NamespaceKey, pageOf: PageOfSource) => {
  const contents = await KbContent.find({ id_project, namespace }, { source: 1 }).lean();
  return new Map(contents.map(({ _id, source }) => [String(_id), pageOf(source)]));
};

async function askQuestion(
  namespaceKey: NamespaceKey,
  question: Question,
  pages: Map<string, string>,
): Promise<QuestionResult> {
  const once = (contents: string[]) => [...new Set(contents.map((content) => pages.get(content) ?? ''))];
  const pagesOf = (hits: ChunkHit[]) => once(hits.map(({ content }) => content));
  const text = question.question;
  const [vector] = (await embedder()?.embed([text], { project: namespaceKey.id_project })) ?? [];
  const hits = await chunkIndex().search(indexSpaceOf(namespaceKey), { text, ...(vector && { vector }), limit: DEPTH });
  const deep = await retrieve(namespaceKey, text, { limit: DEPTH });
  const started = performance.now();
  const { chunks, answerability } = await retrieve(namespaceKey, text, { limit: TOP_K });
  const { answer, citations } = answerability.answerable
    ? await extractAnswer(text, chunks, { project: namespaceKey.id_project })
    : { answer: '', citations: [] };
  const ms = performance.now() - started;
  const bySource = new Map(chunks.map(({ source, content }) => [source, content]));
  return {
    ...question,
    text: pagesOf(hits.text),
    vectors: pagesOf(hits.vector),
    hybrid: once(deep.chunks.map(({ content }) => content)),
    cited: once(citations.map(({ source }) => bySource.get(source) ?? '')),
    refused: !answer,
    confidence: answerability.confidence,
    answer,
    ms,
  };
}

/** Runs all questions one after the other. `pageOf` maps a source to the name of the page in the labels. */
export async function runRetrievalTrial(
  namespaceKey: NamespaceKey,
  questions: Question[],
  pageOf: PageOfSource,
): Promise<RetrievalTrial> {
  const pages = await pageOfContent(namespaceKey, pageOf);
  const results: QuestionResult[] = [];
  for (const question of questions) results.push(await askQuestion(namespaceKey, question, pages));
  const known = results.filter(isAnswerable);
  const countRefused = (some: QuestionResult[]) => some.filter((one) => one.refused).length;
  const quality = (search: 'text' | 'vectors' | 'hybrid') =>
    qualityOf(
      known,
      known.map((one) => one[search]),
    );
  return {
    results,
    quality: { 'full text': quality('text'), vectors: quality('vectors'), hybrid: quality('hybrid') },
    cited: known.filter(({ cited, pages }) => cited.some((page) => pages.includes(page))).length,
    refused: {
      answerable: countRefused(known),
      near: countRefused(results.filter(({ near }) => near === true)),
      offTopic: countRefused(results.filter(({ near }) => near === false)),
    },
  };
}
