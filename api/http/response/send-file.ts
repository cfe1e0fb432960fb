/** Sends stored files or ranges of them, with caching headers, and headers that keep a browser from running them. */
import type { Context } from 'koa';
import { AppError } from '#shared/errors.ts';
import { freeWhenPiped } from '#shared/storage/free-pieces.ts';
import type { FileContent } from '../endpoint.ts';
import { matchesEtag } from './send-json.ts';

/** Files come from other users, so a browser that opens one must not run it or load anything for it. */
const FILE_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
  'X-Content-Type-Options': 'nosniff',
  // A deleted or expired file must not be served from a cache.
  'Cache-Control': 'private, no-cache',
  'Accept-Ranges': 'bytes',
};

interface ByteRange {
  start: number;
  end: number;
}

const RANGE = /^bytes=(\d*)-(\d*)$/;

const rangeNotSatisfiable = (size: number) =>
  new AppError(416, 'RANGE_NOT_SATISFIABLE', `The file has ${size} bytes`).with({
    headers: { 'Content-Range': `bytes */${size}` },
  });

/**
 * Parses a `Range` header with one range. Returns undefined for any other header; the whole file is then sent. Throws
 * 416 for a range outside the file.
 */
const parseRange = (header: string, size: number): ByteRange | undefined => {
  const [, first = '', last = ''] = RANGE.exec(header.trim()) ?? [];
  if (first === '' && last === '') return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(last) < start) return undefined;
  if (start >= size || (first === '' && Number(last) === 0)) throw rangeNotSatisfiable(size);
  return { start, end };
};

/** Returns the requested range; undefined if `If-Range` names another version of the file. */
const requestedRange = (ctx: Context, size: number, etag: string): ByteRange | undefined => {
  const condition = ctx.get('if-range');
  return condition && condition !== etag ? undefined : parseRange(ctx.get('range'), size);
};

/** Sends a file, a range of it (206), or 304 if the client has a current copy. */
export const sendFile = async (ctx: Context, file: FileContent): Promise<void> => {
  const { name, type, size, etag, modifiedAt, isAttachment } = file;
  if (isAttachment) ctx.attachment(name);
  ctx.set({ ...FILE_HEADERS, 'Content-Type': type, ETag: etag, 'Last-Modified': modifiedAt.toUTCString() });
  if (matchesEtag(ctx, etag)) {
    ctx.status = 304;
    return;
  }
  const range = requestedRange(ctx, size, etag);
  const length = range ? range.end - range.start + 1 : size;
  // Neither an empty file nor HEAD needs a stream.
  ctx.body = length === 0 || ctx.method === 'HEAD' ? Buffer.alloc(0) : freeWhenPiped(await file.open(range));
  ctx.status = range ? 206 : 200;
  if (range) ctx.set('Content-Range', `bytes ${range.start}-${range.end}/${size}`);
  ctx.set('Content-Type', type);
  ctx.length = length;
};
