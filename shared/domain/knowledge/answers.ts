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
import { countTokens, estimateOf, mustHaveTokens, type Tokens } from './token-budget.ts';

/** A checked question with its options. */
export interface Asked extends Prompted {
  model?: string | null;
  max_tokens: number;
  temperature: number;
  top_p?: number;
  citations: boolean;
}

/** Where and for whom an answer is made. */
interface Where {
  project: string;
  signal: AbortSignal;
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

const extracted = async (asked: Asked, { passages, evidence }: Retrieved, where: Where): Promise<Answered> => {
  if (!evidence.answerable) return refusal('extractive');
  const { answer, citations, used } = await extract(asked.question, passages, where);
  return answer
    ? { answer, success: true, model: 'extractive', promptTokens: 0, used, citations }
    : refusal('extractive');
};

type Usage = { input_tokens: number; output_tokens: number };

/** What the provider counted; an estimate where it does not count. */
const tokensOf = ({ messages }: ReturnType<typeof requestOf>, text: string, usage?: Usage): Tokens =>
  usage?.input_tokens ? { prompt: usage.input_tokens, completion: usage.output_tokens } : estimateOf(messages, text);

const asks = ({ passages }: Retrieved): boolean => passages.length > 0 && chatConfigured();

const unasked = async (asked: Asked, found: Retrieved, where: Where): Promise<Answered> =>
  chatConfigured()
    ? refusal(asked.model || 'none')
    : found.passages.length
      ? extracted(asked, found, where)
      : refusal('extractive');

/** The answer in one piece. Errors: 429 for a project whose tokens of today are spent, those of the provider. */
export const answer = async (asked: Asked, found: Retrieved, where: Where): Promise<Answered> => {
  if (!asks(found)) return unasked(asked, found, where);
  mustHaveTokens(where.project);
  const request = requestOf(asked, found.passages, where.signal);
  try {
    const { text, model, usage } = await chat(request);
    await countTokens(where.project, tokensOf(request, text, usage));
    return judged(text, { model, promptTokens: usage.input_tokens }, found.passages);
  } catch (error) {
    // Whoever left has let the provider work nevertheless.
    if (where.signal.aborted) await countTokens(where.project, tokensOf(request, ''));
    throw error;
  }
};

async function* whole(asked: Asked, found: Retrieved, where: Where): AsyncGenerator<string, Answered> {
  const answered = await unasked(asked, found, where);
  yield answered.answer;
  return answered;
}

async function* pieces(
  request: ReturnType<typeof requestOf>,
  { passages }: Retrieved,
  { project, signal }: Where,
): AsyncGenerator<string, Answered> {
  let text = '';
  let shown = 0;
  let usage: Usage | undefined;
  try {
    for await (const piece of chatStream(request)) {
      if ('done' in piece) {
        usage = piece.done.usage;
        const { model } = piece.done;
        const answered = judged(text, { model, promptTokens: usage.input_tokens }, passages);
        if (answered.answer.length > shown) yield answered.answer.slice(shown);
        return answered;
      }
      text += piece.text;
      const safe = spokenSoFar(text, sourcesOf(passages));
      if (safe.length > shown) yield safe.slice(shown);
      shown = Math.max(shown, safe.length);
    }
    throw new AppError(502, 'AI_BAD_ANSWER', 'The model broke off its answer');
  } finally {
    if (usage || text || signal.aborted) await countTokens(project, tokensOf(request, text, usage));
  }
}

/** The answer in pieces, then whole. Errors: as above, 429 before the first piece is asked for. */
export const answerStream = (asked: Asked, found: Retrieved, where: Where): AsyncGenerator<string, Answered> => {
  if (!asks(found)) return whole(asked, found, where);
  mustHaveTokens(where.project);
  return pieces(requestOf(asked, found.passages, where.signal), found, where);
};
