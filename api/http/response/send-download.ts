/** Sends texts and files that are generated while the client reads them. */
import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import type { Download } from '../endpoint.ts';
import { logFailure } from './errors.ts';
import { startBody } from './generated-body.ts';

const hashOf = (styles: string): string => createHash('sha256').update(styles).digest('base64');

/** Downloads contain text from other users, so a browser that opens one must not run or load anything. */
const policyOf = ({ styles }: Download): string =>
  `default-src 'none'; ${styles ? `style-src 'sha256-${hashOf(styles)}'; ` : ''}frame-ancestors 'none'; sandbox`;

/** Logs the error and aborts the connection, so that the client does not take an incomplete file for a complete one. */
const abortConnection = (error: unknown): never => {
  logFailure(error, 'download aborted');
  throw error;
};

/** Sends the pieces of text or of a file, as an attachment if the download has a name. */
export const sendPieces = async (
  ctx: Context,
  { pieces, name }: Download,
  headers: Record<string, string>,
): Promise<void> => {
  const body = await startBody(pieces, abortConnection);
  if (name) ctx.attachment(name);
  ctx.set(headers);
  ctx.body = body;
};

const JSON_MEDIA_TYPE = 'application/json; charset=utf-8';

/** Sends text or a file that a handler generates. A file with the extension `.json` is sent as JSON. */
export const sendDownload = (ctx: Context, download: Download, type = 'text/plain'): Promise<void> =>
  sendPieces(ctx, download, {
    'Content-Type': download.name?.endsWith('.json') ? JSON_MEDIA_TYPE : type,
    'Cache-Control': 'private, no-store',
    'Content-Security-Policy': policyOf(download),
  });
