/** One question, from its search to its reply. */
import type { z } from 'zod';
import { type Answered, answer, answerStream } from '#shared/domain/knowledge/answers.ts';
import * as questions from '#shared/domain/knowledge/questions.ts';
import { find } from '#shared/domain/knowledge/search.ts';
import { EventStream } from '../http/endpoint.ts';
import { dataLines } from '../http/send-events.ts';
import type { QaInput } from './qa-input.ts';
import { chunksReply, qaReply } from './qa-reply.ts';

type Asked = z.output<typeof QaInput>;

/** Pieces of the answer, then its summary, whose duration is that of the first piece (contract c 3.7). */
async function* spokenBy(
  stream: AsyncGenerator<string, Answered>,
  whole: (answered: Answered, ms: number) => Promise<object>,
): AsyncGenerator<object> {
  const started = performance.now();
  let first: number | undefined;
  for (;;) {
    const { done, value } = await stream.next();
    first ??= performance.now() - started;
    if (done) {
      yield await whole(value, first);
      return;
    }
    yield { content: value };
  }
}

/** The reply to a checked question; one that the knowledge base does not answer is logged, once. */
export const ask = async (asked: Asked, { project, signal }: { project: string; signal: AbortSignal }) => {
  const started = performance.now();
  const { namespace, question } = asked;
  const found = await find({ id_project: project, namespace }, asked, signal);
  const searched = performance.now() - started;
  if (asked.chunks_only) return chunksReply(found, { asked, ms: searched });
  const told = async (answered: Answered, ms: number) => {
    if (!answered.success) await questions.log(project, { namespace, question });
    return qaReply(answered, { asked, mode: found.mode, ms });
  };
  const where = { project, signal };
  if (!asked.stream) {
    const answered = await answer(asked, found, where);
    return told(answered, performance.now() - started);
  }
  return new EventStream(
    dataLines(spokenBy(answerStream(asked, found, where), (answered, ms) => told(answered, searched + ms))),
  );
};
