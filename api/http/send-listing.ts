import type { Context } from 'koa';
import { Download } from './endpoint.ts';
import { sendPieces } from './send-download.ts';

/** Characters that are sent together. */
const PIECE = 16_384;

/** An array as JSON, in pieces; each item is checked before it is sent. */
async function* jsonOf(items: AsyncIterable<unknown>, check: (item: string) => void): AsyncGenerator<string> {
  let piece = '[';
  let separator = '';
  for await (const item of items) {
    const text = JSON.stringify(item);
    check(text);
    piece += separator + text;
    separator = ',';
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  yield `${piece}]`;
}

const HEADERS = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'private, no-cache' };

/** Send an array whose items are read as its reader takes them. It has no `ETag`: nobody knows it before its end. */
export const sendListing = (
  ctx: Context,
  items: AsyncIterable<unknown>,
  check: (item: string) => void,
): Promise<void> => sendPieces(ctx, new Download(jsonOf(items, check)), HEADERS);
