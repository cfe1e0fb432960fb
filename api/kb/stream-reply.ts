/** The objects that are sent for a streamed answer. */
import type { AnswerResult } from '#shared/domain/knowledge/answers/answer-result.ts';

/**
 * Yields the pieces of a streamed answer, then the complete reply, which `toSummary` creates; its argument `ms` is the
 * time until the first piece. If the client disconnects between two pieces, `stream` is closed, so that the call to the
 * model ends.
 */
export async function* streamReply(
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
