/** Handles a question to a knowledge base: search, answer, reply. */
import type { z } from 'zod';
import type { AnswerResult } from '#shared/domain/knowledge/answers/answer-result.ts';
import {
  answerQuestion,
  searchChunks,
  searchQuestion,
  streamAnswerTo,
} from '#shared/domain/knowledge/answers/answer-question.ts';
import { EventStream } from '../http/endpoint.ts';
import { dataLines } from '../http/response/send-events.ts';
import { toChunksReply } from './chunks-reply.ts';
import type { QaInput } from './qa-input.ts';
import { toQaReply } from './qa-reply.ts';

type ParsedQuestion = z.output<typeof QaInput>;

/**
 * Yields the pieces of a streamed answer, then the summary. The `ms` of the summary is the time to the first piece. If
 * the client disconnects between two pieces, the answer is closed, so that the call to the model ends.
 */
async function* streamReply(
  stream: AsyncGenerator<string, AnswerResult>,
  toSummary: (answer: AnswerResult, ms: number) => object,
): AsyncGenerator<object> {
  const started = performance.now();
  let firstPieceMs: number | undefined;
  let isDone = false;
  try {
    while (!isDone) {
      const { done = false, value } = await stream.next();
      firstPieceMs ??= performance.now() - started;
      isDone = done;
      yield typeof value === 'string' ? { content: value } : toSummary(value, firstPieceMs);
    }
  } finally {
    if (!isDone) await stream.return(undefined as never);
  }
}

/** Returns the reply to a question, or a stream of events if the question requests one. */
export const replyToQuestion = async (
  input: ParsedQuestion,
  { project, signal }: { project: string; signal: AbortSignal },
) => {
  const started = performance.now();
  const key = { id_project: project, namespace: input.namespace };
  if (input.chunks_only) {
    const { retrieval } = await searchChunks(key, input, signal);
    return toChunksReply(retrieval, { input, ms: performance.now() - started });
  }
  const search = await searchQuestion(key, input, signal);
  const searchMs = performance.now() - started;
  const { mode } = search.retrieval;
  if (!input.stream) {
    const answer = await answerQuestion(key, { input, search }, signal);
    return toQaReply(answer, { input, mode, ms: performance.now() - started });
  }
  const stream = streamAnswerTo(key, { input, search }, signal);
  return new EventStream(
    dataLines(streamReply(stream, (answer, ms) => toQaReply(answer, { input, mode, ms: searchMs + ms }))),
  );
};
