/** Handles a question to a knowledge base: search, answer, reply. */
import type { z } from 'zod';
import { type AnswerResult, generateAnswer, streamAnswer } from '#shared/domain/knowledge/answers/generate-answer.ts';
import { findChunks } from '#shared/domain/knowledge/search.ts';
import * as questions from '#shared/domain/knowledge/unanswered-questions.ts';
import { EventStream } from '../http/endpoint.ts';
import { dataLines } from '../http/response/send-events.ts';
import type { QaInput } from './qa-input.ts';
import { toChunksReply, toQaReply } from './qa-reply.ts';

type ParsedQuestion = z.output<typeof QaInput>;

/** Yields the pieces of a streamed answer, then the summary. The `ms` of the summary is the time to the first piece. */
async function* streamReply(
  stream: AsyncGenerator<string, AnswerResult>,
  toSummary: (answer: AnswerResult, ms: number) => Promise<object>,
): AsyncGenerator<object> {
  const started = performance.now();
  let firstPieceMs: number | undefined;
  for (;;) {
    const { done, value } = await stream.next();
    firstPieceMs ??= performance.now() - started;
    if (done) {
      yield await toSummary(value, firstPieceMs);
      return;
    }
    yield { content: value };
  }
}

/** Returns the reply to a question. A question without an answer is stored as unanswered. */
export const replyToQuestion = async (
  input: ParsedQuestion,
  { project, signal }: { project: string; signal: AbortSignal },
) => {
  const started = performance.now();
  const { namespace, question } = input;
  const retrieved = await findChunks({ id_project: project, namespace }, input, signal);
  const searchMs = performance.now() - started;
  if (input.chunks_only) return toChunksReply(retrieved, { input, ms: searchMs });
  const buildReply = async (answer: AnswerResult, ms: number) => {
    if (!answer.success) await questions.add(project, { namespace, question });
    return toQaReply(answer, { input, mode: retrieved.mode, ms });
  };
  const context = { project, signal };
  if (!input.stream) {
    const answer = await generateAnswer(input, retrieved, context);
    return buildReply(answer, performance.now() - started);
  }
  return new EventStream(
    dataLines(streamReply(streamAnswer(input, retrieved, context), (answer, ms) => buildReply(answer, searchMs + ms))),
  );
};
