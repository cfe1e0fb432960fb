import { once } from 'node:events';
import type { Context } from 'koa';
import { AppError } from '#shared/errors.ts';
import { logger } from '#shared/logger.ts';
import type { EventStream } from './endpoint.ts';

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache',
  Connection: 'keep-alive',
  'Access-Control-Allow-Origin': '*',
  'X-Content-Type-Options': 'nosniff',
};

const reasonOf = (error: unknown): string => {
  if (error instanceof AppError) return error.message;
  logger.error({ err: error }, 'a stream broke');
  return 'Internal error';
};

/**
 * Send `data: <JSON>` lines and `data: [DONE]` at the end (contract c 3.7). What fails before the first event
 * is a plain error with its status; what fails later is `data: {"error"}`, then the stream ends.
 */
export const sendEvents = async (ctx: Context, { events }: EventStream): Promise<void> => {
  const iterator = events[Symbol.asyncIterator]();
  let next = await iterator.next();
  const { res } = ctx;
  const write = async (text: string) => {
    if (!res.write(`data: ${text}\n\n`)) await Promise.race([once(res, 'drain'), once(res, 'close')]);
  };
  ctx.respond = false;
  res.writeHead(200, HEADERS);
  try {
    for (; !next.done && !res.destroyed; next = await iterator.next()) await write(JSON.stringify(next.value));
    await write('[DONE]');
  } catch (error) {
    if (!res.destroyed) await write(JSON.stringify({ error: reasonOf(error) }));
  } finally {
    await iterator.return?.();
    res.end();
  }
};
