/** Handles a question to a knowledge base: search, answer, reply. */
import type { z } from 'zod';
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
import { streamReply } from './stream-reply.ts';

type ParsedQuestion = z.output<typeof QaInput>;

/** Returns the reply to a question, or a stream of events if the question requests one. */
export const replyToQuestion = async (
  input: ParsedQuestion,
  { project, signal }: { project: string; signal: AbortSignal },
) => {
  const started = performance.now();
  const key = { id_project: project, namespace: input.namespace };
  if (input.chunks_only) {
    const { retrieval } = await searchChunks(key, input, { signal });
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
