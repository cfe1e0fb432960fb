/** Streams responses as they are generated. */
import type { Context } from 'koa';
import type { Download } from '../endpoint.ts';
import { logFailure } from './errors.ts';
import { flushHeaders } from './response-headers.ts';
import { writePieces } from './write-with-backpressure.ts';

/** Downloads contain text written by other users, so a browser that opens one must not run or load anything. */
const DOWNLOAD_HEADERS = {
  'Cache-Control': 'private, no-store',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
};

type ResponseHeaders = Record<string, string>;

/**
 * Sends pieces as the client reads them. An error before the first piece produces a normal error response. A later
 * error destroys the connection, so that the client does not take an incomplete file for a complete one.
 */
export const sendPieces = async (ctx: Context, { pieces, name }: Download, headers: ResponseHeaders): Promise<void> => {
  const iterator = pieces[Symbol.asyncIterator]();
  const first = await iterator.next();
  const { res } = ctx;
  ctx.respond = false;
  flushHeaders(ctx);
  if (name) ctx.attachment(name);
  res.writeHead(200, headers);
  try {
    await (ctx.method === 'HEAD' ? iterator.return?.() : writePieces(res, first, iterator));
    res.end();
  } catch (error) {
    logFailure(error, 'download aborted');
    res.destroy();
  }
};

/** Sends a text or file; as an attachment if it has a name. */
export const sendDownload = (ctx: Context, download: Download, type = 'text/plain'): Promise<void> =>
  sendPieces(ctx, download, { 'Content-Type': type, ...DOWNLOAD_HEADERS });
