/** Sends server-sent events. */
import type { Context } from 'koa';
import type { EventStream } from '../endpoint.ts';
import { logFailure, toAppError } from './errors.ts';
import { startBody } from './generated-body.ts';

const EVENT_STREAM_HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache',
  Connection: 'keep-alive',
  'X-Accel-Buffering': 'no',
};

const dataLine = (text: string): string => `data: ${text}\n\n`;

/**
 * Yields objects as `data: <JSON>` lines, followed by `data: [DONE]`. An error before the first object is thrown; a
 * later error is sent as the last line, `data: {"error": "…"}`.
 */
export async function* dataLines(events: AsyncIterable<object>): AsyncGenerator<string> {
  let hasStarted = false;
  try {
    for await (const event of events) {
      hasStarted = true;
      yield dataLine(JSON.stringify(event));
    }
    yield dataLine('[DONE]');
  } catch (error) {
    if (!hasStarted) throw error;
    yield dataLine(JSON.stringify({ error: toAppError(error).message }));
  }
}

/** Sends the frames of a stream. Rejects on an error before the first frame; logs a later error and ends the stream. */
export const sendEvents = async (ctx: Context, { frames }: EventStream): Promise<void> => {
  const body = await startBody(frames, (error) => logFailure(error, 'event stream aborted'));
  ctx.set(EVENT_STREAM_HEADERS);
  ctx.body = body;
};
