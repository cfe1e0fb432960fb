/**
 * Answering a question from a knowledge base (contract 4.16): find the passages, judge whether they can answer,
 * then let the model of the settings write from them alone, or without one take their best sentences.
 */
import { chat, chatConfigured, chatStream } from '../../ai.ts';
import { AppError } from '../../errors.ts';
import { extract } from '../../retrieval/answer.ts';
import type { Passage, Retrieved } from '../../retrieval/retrieve.ts';
import { NO_ANSWER_MARK, type Prompted, promptOf } from './prompts.ts';
import { spoken, spokenSoFar } from './spoken.ts';

/** A checked question with its options. */
export interface Asked extends Prompted {
  model?: string | null;
  max_tokens: number;
  temperature: number;
  top_p?: number;
  citations: boolean;
}

/** An answer with what it rests on; `success` is false when the knowledge base does not hold one. */
export interface Answered {
  answer: string;
  success: boolean;
  model: string;
  promptTokens: number;
  used: Passage[];
  citations: Citation[];
}

/** A source of the answer, numbered as the answer's text refers to it. */
export interface Citation {
  source_id: number;
  source_name: string;
  source: string;
}

/** What is said when the knowledge base holds no answer. */
export const NO_ANSWER = 'I could not find an answer to this in the knowledge base.';

const refusal = (model: string, promptTokens = 0): Answered => ({
  answer: NO_ANSWER,
  success: false,
  model,
  promptTokens,
  used: [],
  citations: [],
});

const citationOf = ({ source, name }: Passage, index: number): Citation => ({
  source_id: index + 1,
  source_name: name,
  source,
});

/** The passages that the text refers to by `[n]`, or all when it names none. */
const cited = (text: string, passages: Passage[]): Citation[] => {
  const named = new Set([...text.matchAll(/\[(\d{1,2})\]/g)].map(([, number]) => Number(number)));
  const all = passages.map(citationOf);
  const some = all.filter(({ source_id }) => named.has(source_id));
  return some.length ? some : all;
};

const requestOf = (asked: Asked, passages: Passage[], signal: AbortSignal) => ({
  model: asked.model || undefined,
  messages: promptOf(asked, passages),
  maxTokens: asked.citations ? Math.max(asked.max_tokens, 1024) : asked.max_tokens,
  temperature: asked.temperature,
  topP: asked.top_p,
  signal,
});

const sourcesOf = (passages: Passage[]): string[] => passages.map(({ source }) => source);

const judged = (
  text: string,
  { model, promptTokens }: { model: string; promptTokens: number },
  passages: Passage[],
): Answered => {
  const answer = spoken(text, sourcesOf(passages));
  if (text.includes(NO_ANSWER_MARK) || !answer)
    return { ...refusal(model, promptTokens), ...(answer ? { answer } : {}) };
  return { answer, success: true, model, promptTokens, used: passages, citations: cited(answer, passages) };
};

const extracted = async (
  asked: Asked,
  { passages, evidence }: Retrieved,
  where: { project: string; signal: AbortSignal },
): Promise<Answered> => {
  if (!evidence.answerable) return refusal('extractive');
  const { answer, citations, used } = await extract(asked.question, passages, where);
  return answer
    ? { answer, success: true, model: 'extractive', promptTokens: 0, used, citations }
    : refusal('extractive');
};

/** The answer in one piece. */
export const answer = async (
  asked: Asked,
  found: Retrieved,
  where: { project: string; signal: AbortSignal },
): Promise<Answered> => {
  if (!found.passages.length) return refusal(chatConfigured() ? asked.model || 'none' : 'extractive');
  if (!chatConfigured()) return extracted(asked, found, where);
  const { text, model, usage } = await chat(requestOf(asked, found.passages, where.signal));
  return judged(text, { model, promptTokens: usage.input_tokens }, found.passages);
};

/** The answer in pieces, then whole. */
export async function* answerStream(
  asked: Asked,
  found: Retrieved,
  where: { project: string; signal: AbortSignal },
): AsyncGenerator<string, Answered> {
  if (!found.passages.length || !chatConfigured()) {
    const whole = await answer(asked, found, where);
    yield whole.answer;
    return whole;
  }
  const { passages } = found;
  let text = '';
  let shown = 0;
  for await (const piece of chatStream(requestOf(asked, passages, where.signal))) {
    if ('done' in piece) {
      const { model, usage } = piece.done;
      const whole = judged(text, { model, promptTokens: usage.input_tokens }, passages);
      if (whole.answer.length > shown) yield whole.answer.slice(shown);
      return whole;
    }
    text += piece.text;
    const safe = spokenSoFar(text, sourcesOf(passages));
    if (safe.length > shown) yield safe.slice(shown);
    shown = Math.max(shown, safe.length);
  }
  throw new AppError(502, 'AI_BAD_ANSWER', 'The model broke off its answer');
}
