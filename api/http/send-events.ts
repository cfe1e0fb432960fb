/** Server-sent events on the wire: never faster than their reader, and no longer than it reads. */
import type { ServerResponse } from 'node:http';
import type { Context } from 'koa';
import { AppError } from '#shared/errors.ts';
import { logger } from '#shared/logger.ts';
import type { EventStream } from './endpoint.ts';
import { handOver } from './head.ts';

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache',
  Connection: 'keep-alive',
  'Access-Control-Allow-Origin': '*',
  'X-Content-Type-Options': 'nosniff',
  'X-Accel-Buffering': 'no',
};
/** A reader that takes nothing for this long is sent away. */
const STUCK_MS = 60_000;

const reasonOf = (error: unknown): string => {
  if (error instanceof AppError) return error.message;
  logger.error({ err: error }, 'a stream broke');
  return 'Internal error';
};

const dataLine = (text: string): string => `data: ${text}\n\n`;

/**
 * Objects as `data: <JSON>` lines, and `data: [DONE]` at the end (contract c 3.7). What fails before the first of
 * them is thrown; what fails later is `data: {"error"}`, the last line.
 */
export async function* dataLines(events: AsyncIterable<object>): AsyncGenerator<string> {
  let begun = false;
  try {
    for await (const event of events) {
      begun = true;
      yield dataLine(JSON.stringify(event));
    }
    yield dataLine('[DONE]');
  } catch (error) {
    if (!begun) throw error;
    yield dataLine(JSON.stringify({ error: reasonOf(error) }));
  }
}

/** Resolves when the reader has taken what was written, or is gone. */
const taken = (res: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(stuck);
      res.off('drain', done).off('close', done);
      resolve();
    };
    const stuck = setTimeout(() => res.destroy(), STUCK_MS);
    res.on('drain', done).on('close', done);
  });

/** Send the frames of a stream as its reader takes them (faults F23). What fails before the first one is a plain error with its status. */
export const sendEvents = async (ctx: Context, { frames }: EventStream): Promise<void> => {
  const iterator = frames[Symbol.asyncIterator]();
  let next = await iterator.next();
  const { res } = ctx;
  ctx.respond = false;
  handOver(ctx);
  res.writeHead(200, HEADERS);
  try {
    for (; !next.done && !res.destroyed; next = await iterator.next()) if (!res.write(next.value)) await taken(res);
  } catch (error) {
    logger.error({ err: error }, 'a stream broke');
  } finally {
    await iterator.return?.();
    res.end();
  }
};
