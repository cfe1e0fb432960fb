/**
 * Receives uploaded files, as the body or in a form. They are streamed to a temporary folder and deleted after the
 * call.
 */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Context } from 'koa';
import { koaBody } from 'koa-body';
import { AppError } from '#shared/errors.ts';
import { tooLarge } from '../response/errors.ts';

const FORM_TYPE = 'multipart/form-data';
/** Name of the form field that holds the file. */
const FILE_FIELD = 'uploadFile';
const MAX_FIELDS_BYTES = 100_000;

/** A received file. */
export interface Upload {
  name?: string;
  size: number;
  hash: string;
  /** The other fields of the form. */
  fields: Record<string, unknown>;
  pieces(): AsyncIterable<Buffer>;
}

/** The media type and maximum size of the files that an endpoint accepts. */
export interface AcceptedUpload {
  type: string;
  maxBytes: number;
}

/** Receives a file that is sent as the body. Throws 413 above the limit, 400 if the client disconnects. */
const receiveBody = async (ctx: Context, folder: string, { maxBytes }: AcceptedUpload): Promise<Upload> => {
  const file = join(folder, 'body');
  const hash = createHash('sha256');
  let size = 0;
  const countBytes = async function* (pieces: AsyncIterable<Buffer>) {
    for await (const piece of pieces) {
      size += piece.length;
      if (size > maxBytes) throw tooLarge(maxBytes);
      hash.update(piece);
      yield piece;
    }
  };
  try {
    // The connection must stay open to send the 413.
    await pipeline(ctx.req.iterator({ destroyOnReturn: false }), countBytes, createWriteStream(file));
  } catch (error) {
    if (error instanceof AppError || ctx.req.complete) throw error;
    throw new AppError(400, 'UPLOAD_ABORTED', 'The upload ended before the file was complete; send it again');
  }
  return { size, hash: hash.digest('hex'), fields: {}, pieces: () => createReadStream(file) };
};

interface FormFile {
  filepath: string;
  originalFilename: string | null;
  size: number;
  hash?: string | null;
}

/** Receives the file of a form. Throws 400 for a malformed form, 413 above the limit, 422 without the file. */
const receiveForm = async (ctx: Context, folder: string, { maxBytes }: AcceptedUpload): Promise<Upload> => {
  const limits = { maxFileSize: maxBytes, maxTotalFileSize: maxBytes, maxFieldsSize: MAX_FIELDS_BYTES, maxFiles: 1 };
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
    throw httpCode === 413 ? tooLarge(maxBytes) : new AppError(400, 'BAD_FORM', 'The form is not well-formed');
  }
  const file = (ctx.request.files as Record<string, FormFile | FormFile[]> | undefined)?.[FILE_FIELD];
  if (!file || Array.isArray(file))
    throw new AppError(422, 'INVALID', `${FILE_FIELD} is required: the form must have exactly one file in this field`);
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

const receiveUpload = (ctx: Context, folder: string, accepted: AcceptedUpload): Promise<Upload> => {
  if (Number(ctx.get('content-length')) > accepted.maxBytes) throw tooLarge(accepted.maxBytes);
  if (ctx.is(FORM_TYPE)) return receiveForm(ctx, folder, accepted);
  const isFileBody = ctx.get('content-encoding') === '' && (!ctx.get('content-type') || ctx.is(accepted.type));
  if (isFileBody) return receiveBody(ctx, folder, accepted);
  throw new AppError(415, 'UNSUPPORTED_TYPE', `Send ${accepted.type}, or ${FORM_TYPE} with the file in ${FILE_FIELD}`);
};

/**
 * Receives the file of a request, runs `work` with it, and deletes it. Throws 400, 413, 415 for another media type, 422
 * for a form without a file.
 */
export const withUpload = async <T>(
  ctx: Context,
  accepted: AcceptedUpload,
  work: (upload: Upload) => Promise<T>,
): Promise<T> => {
  const folder = await mkdtemp(join(tmpdir(), 'upload-'));
  try {
    return await work(await receiveUpload(ctx, folder, accepted));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
