/**
 * Answers a question with a FAQ that has the same question, without a chat model. Only the FAQs among the retrieved
 * contents are compared, so that the filters of the search apply to them.
 */
import { KbContent } from '../../../../models/kb-content.ts';
import { sanitizeMarkdown } from '../../../../security/sanitize-markdown.ts';
import { indexSpaceOf, type NamespaceKey } from '../../indexing/chunks.ts';
import type { RetrievedChunk } from '../../retrieval/retrieve.ts';
import { readTermStatistics } from '../../retrieval/term-statistics.ts';
import { type AnswerResult, answerFromStoredText } from '../answer-result.ts';
import { misspelledWords } from './compare-questions.ts';

/** Minimum number of chunks to retrieve, so that a FAQ is found even if the caller requests fewer chunks. */
export const MIN_CHUNKS_WITH_FAQ = 8;

const WEB_ADDRESS = /https?:\/\/[^\s<>()[\]"']+/g;

interface Faq {
  id: string;
  question: string;
  answer: string;
  name: string;
  source: string;
}

/** Splits the text of a FAQ: the first line is the question, and the rest is the answer. */
const parseFaq = ({ _id, content, name, source }: { _id: unknown; content: string; name: string; source: string }) => {
  const [question = '', ...answer] = content.trim().split('\n');
  return { id: String(_id), question, answer: answer.join('\n').trim(), name, source };
};

/** Returns the FAQs among the contents of the chunks, in the order of the chunks. */
const readFaqs = async ({ id_project, namespace }: NamespaceKey, chunks: RetrievedChunk[]): Promise<Faq[]> => {
  const ids = [...new Set(chunks.map(({ content }) => content))];
  if (!ids.length) return [];
  const fields = { content: 1, name: 1, source: 1 };
  const found = await KbContent.find({ _id: { $in: ids }, id_project, namespace, type: 'faq' }, fields).lean();
  const faqs = found.map(parseFaq).filter(({ question, answer }) => question && answer);
  return faqs.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
};

/**
 * Whether no text of the namespace contains any of these words. If none does, the words are treated as typing errors.
 */
const areUnknown = async (namespaceKey: NamespaceKey, words: string[]): Promise<boolean> => {
  const statistics = await readTermStatistics(indexSpaceOf(namespaceKey), words.join(' '));
  return statistics.length === words.length && statistics.every(({ chunkCount }) => chunkCount === 0);
};

/** Converts a FAQ to an answer. Its links are kept, because editors write FAQs; images and HTML are removed. */
const toAnswer = ({ id, answer, name, source }: Faq, chunks: RetrievedChunk[]): AnswerResult =>
  answerFromStoredText('faq', {
    answer: sanitizeMarkdown(answer, { sources: answer.match(WEB_ADDRESS) ?? [] }).trim(),
    usedChunks: chunks.filter(({ content }) => content === id),
    citations: [{ source_id: 1, source_name: name, source }],
  });

/**
 * Returns the answer of the first FAQ whose question is the same as one of the `forms` of a question: as asked, and
 * completed from the chat history. If there is none, accepts a FAQ if a form differs from its question only by typing
 * errors, in words that the namespace does not contain. Returns null if there is no such FAQ either.
 */
export async function answerFromFaq(
  namespaceKey: NamespaceKey,
  forms: string[],
  chunks: RetrievedChunk[],
): Promise<AnswerResult | null> {
  const faqs = await readFaqs(namespaceKey, chunks);
  const matches = [...new Set(forms)].flatMap((form) =>
    faqs.flatMap((faq) => {
      const misspelled = misspelledWords(form, faq.question);
      return misspelled ? [{ faq, misspelled }] : [];
    }),
  );
  const equal = matches.find(({ misspelled }) => !misspelled.length);
  if (equal) return toAnswer(equal.faq, chunks);
  for (const { faq, misspelled } of matches)
    if (await areUnknown(namespaceKey, misspelled)) return toAnswer(faq, chunks);
  return null;
}
