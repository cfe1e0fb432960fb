/** Server-sent events on the wire. */
import type { Context } from 'koa';
import type { EventStream } from './endpoint.ts';
import { answerable, logBroken } from './errors.ts';
import { handOver } from './head.ts';
import { pour } from './pour.ts';

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache',
  Connection: 'keep-alive',
  'Access-Control-Allow-Origin': '*',
  'X-Content-Type-Options': 'nosniff',
  'X-Accel-Buffering': 'no',
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
    yield dataLine(JSON.stringify({ error: answerable(error).message }));
  }
}

/** Send the frames of a stream as its reader takes them (faults F23). What fails before the first one is a plain error with its status. */
export const sendEvents = async (ctx: Context, { frames }: EventStream): Promise<void> => {
  const iterator = frames[Symbol.asyncIterator]();
  const first = await iterator.next();
  const { res } = ctx;
  ctx.respond = false;
  handOver(ctx);
  res.writeHead(200, HEADERS);
  try {
    await pour(res, first, iterator);
  } catch (error) {
    logBroken(error, 'a stream broke');
  } finally {
    res.end();
  }
};
