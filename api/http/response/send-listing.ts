/** Sends lists as JSON arrays while their items are read. */
import type { Context } from 'koa';
import { Download, type Listing } from '../endpoint.ts';
import { sendPieces } from './send-download.ts';

/** Minimum length of a piece of the JSON array; the last piece may be shorter. */
const CHARACTERS_PER_PIECE = 16_384;

interface ListingOptions {
  /** Called with the JSON of each item before it is sent. */
  checkItem(json: string): void;
  /**
   * Called with the number of characters sent: after the last piece, after an error, or when the client disconnects.
   */
  onEnd(characters: number): undefined | Promise<void>;
}

/** Yields an array as JSON in pieces. */
async function* jsonArrayPieces(items: Listing['items'], { checkItem, onEnd }: ListingOptions): AsyncGenerator<string> {
  let piece = '[';
  let separator = '';
  let characters = 0;
  try {
    for await (const item of items) {
      const text = JSON.stringify(item);
      checkItem(text);
      piece += separator + text;
      separator = ',';
      if (piece.length < CHARACTERS_PER_PIECE) continue;
      characters += piece.length;
      yield piece;
      piece = '';
    }
    characters += piece.length;
    yield `${piece}]`;
  } finally {
    await onEnd(characters);
  }
}

const LISTING_HEADERS = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'private, no-cache' };

/**
 * Sends an array whose items are read while the client reads the response. The response has no `ETag`, because a header
 * cannot depend on items that have not been read yet.
 */
export const sendListing = (ctx: Context, { items, nextCursor }: Listing, options: ListingOptions): Promise<void> =>
  sendPieces(ctx, new Download(jsonArrayPieces(items, options)), {
    ...LISTING_HEADERS,
    ...(nextCursor && { 'X-Next-Cursor': nextCursor }),
  });
