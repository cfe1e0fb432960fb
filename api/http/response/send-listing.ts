/** Sends lists as JSON arrays while their items are read. */
import type { Context } from 'koa';
import { Download } from '../endpoint.ts';
import { sendPieces } from './send-download.ts';

/** Minimum length of a piece. */
const CHARACTERS_PER_PIECE = 16_384;

/** Yields an array as JSON in pieces. `check` is called with the JSON of each item before it is sent. */
async function* jsonArrayPieces(items: AsyncIterable<unknown>, check: (item: string) => void): AsyncGenerator<string> {
  let piece = '[';
  let separator = '';
  for await (const item of items) {
    const text = JSON.stringify(item);
    check(text);
    piece += separator + text;
    separator = ',';
    if (piece.length < CHARACTERS_PER_PIECE) continue;
    yield piece;
    piece = '';
  }
  yield `${piece}]`;
}

const LISTING_HEADERS = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'private, no-cache' };

/**
 * Sends an array whose items are read as the client reads the response. Without an `ETag`, which is only known at the
 * end.
 */
export const sendListing = (
  ctx: Context,
  items: AsyncIterable<unknown>,
  check: (item: string) => void,
): Promise<void> => sendPieces(ctx, new Download(jsonArrayPieces(items, check)), LISTING_HEADERS);
