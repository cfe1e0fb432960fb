import type { Context } from 'koa';
import type { Download } from './endpoint.ts';
import { logBroken } from './errors.ts';
import { handOver } from './head.ts';
import { pour } from './pour.ts';

/** What somebody else wrote stands in it: it may run nothing and load nothing, wherever it is opened. */
const HEADERS = {
  'Cache-Control': 'private, no-store',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
};

type Head = Record<string, string>;

/**
 * Send what is made piece by piece as its reader takes it. What fails before the first piece is a plain error with its status; what fails
 * later breaks the connection, so that nobody takes half a file for a whole one.
 */
export const sendPieces = async (ctx: Context, { pieces, name }: Download, head: Head): Promise<void> => {
  const iterator = pieces[Symbol.asyncIterator]();
  const first = await iterator.next();
  const { res } = ctx;
  ctx.respond = false;
  handOver(ctx);
  if (name) ctx.attachment(name);
  res.writeHead(200, head);
  try {
    await (ctx.method === 'HEAD' ? iterator.return?.() : pour(res, first, iterator));
    res.end();
  } catch (error) {
    logBroken(error, 'a download broke');
    res.destroy();
  }
};

/** Send a text or file; under its name it is one to be kept. */
export const sendDownload = (ctx: Context, download: Download, type = 'text/plain'): Promise<void> =>
  sendPieces(ctx, download, { 'Content-Type': type, ...HEADERS });
