/** Files that callers send, as a body or in a form: written to the disk as they come, however large, and gone with the call. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Context } from 'koa';
import { koaBody } from 'koa-body';
import { AppError } from '#shared/errors.ts';
import { tooLarge } from './errors.ts';

const FORM = 'multipart/form-data';
/** The field of a form that has the file. */
const FIELD = 'uploadFile';
const FIELDS_BYTES = 100_000;

/** A file that was received. */
export interface Upload {
  name?: string;
  size: number;
  hash: string;
  /** What stands beside it in its form. */
  fields: Record<string, unknown>;
  pieces(): AsyncIterable<Buffer>;
}

/** What an endpoint takes: files of this type, of at most so many bytes. */
export interface Accepted {
  type: string;
  most: number;
}

/** The body itself. */
const received = async (ctx: Context, folder: string, { most }: Accepted): Promise<Upload> => {
  const file = join(folder, 'body');
  const hash = createHash('sha256');
  let size = 0;
  const counted = async function* (pieces: AsyncIterable<Buffer>) {
    for await (const piece of pieces) {
      size += piece.length;
      if (size > most) throw tooLarge(most);
      hash.update(piece);
      yield piece;
    }
  };
  try {
    // The connection stays, for the answer that it is too large.
    await pipeline(ctx.req.iterator({ destroyOnReturn: false }), counted, createWriteStream(file));
  } catch (error) {
    if (error instanceof AppError || ctx.req.complete) throw error;
    throw new AppError(400, 'BROKEN_OFF', 'The file broke off');
  }
  return { size, hash: hash.digest('hex'), fields: {}, pieces: () => createReadStream(file) };
};

interface FormFile {
  filepath: string;
  originalFilename: string | null;
  size: number;
  hash?: string | null;
}

/** The one file of a form. */
const ofForm = async (ctx: Context, folder: string, { most }: Accepted): Promise<Upload> => {
  const limits = { maxFileSize: most, maxTotalFileSize: most, maxFieldsSize: FIELDS_BYTES, maxFiles: 1 };
  const formidable = {
    ...limits,
    uploadDir: folder,
    hashAlgorithm: 'sha256' as const,
    allowEmptyFiles: true,
    minFileSize: 0,
  };
  try {
    await koaBody({ multipart: true, json: false, urlencoded: false, text: false, formidable })(ctx, async () => {});
  } catch (error) {
    const { httpCode } = error as { httpCode?: number };
    if (!httpCode) throw error;
    throw httpCode === 413 ? tooLarge(most) : new AppError(400, 'BAD_FORM', 'The form is not well-formed');
  }
  const file = (ctx.request.files as Record<string, FormFile | FormFile[]> | undefined)?.[FIELD];
  if (!file || Array.isArray(file))
    throw new AppError(422, 'INVALID', `${FIELD}: the form needs one file of this name`);
  const { filepath, originalFilename, size, hash } = file;
  const name = originalFilename ?? undefined;
  return {
    name,
    size,
    hash: hash ?? '',
    fields: (ctx.request.body ?? {}) as Record<string, unknown>,
    pieces: () => createReadStream(filepath),
  };
};

const receive = (ctx: Context, folder: string, accepted: Accepted): Promise<Upload> => {
  if (Number(ctx.get('content-length')) > accepted.most) throw tooLarge(accepted.most);
  if (ctx.is(FORM)) return ofForm(ctx, folder, accepted);
  const plain = ctx.get('content-encoding') === '' && (!ctx.get('content-type') || ctx.is(accepted.type));
  if (plain) return received(ctx, folder, accepted);
  throw new AppError(415, 'UNSUPPORTED_TYPE', `Send ${accepted.type}, or ${FORM} with the file in ${FIELD}`);
};

/** Do what is to be done with the file of a call, and remove it. Errors: 413, 415, 422 for a form without one. */
export const withUpload = async <T>(
  ctx: Context,
  accepted: Accepted,
  work: (upload: Upload) => Promise<T>,
): Promise<T> => {
  const folder = await mkdtemp(join(tmpdir(), 'upload-'));
  try {
    return await work(await receive(ctx, folder, accepted));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
