/**
 * Receives uploaded files, as the body or in a form. They are streamed to a temporary folder, never held in memory, and
 * deleted after the call.
 */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Context } from 'koa';
import { koaBody } from 'koa-body';
import { AppError } from '#shared/errors.ts';
import { logger } from '#shared/logger.ts';
import { diskFull, isDiskFull } from '#shared/storage/disk-full.ts';
import { withTemporaryFolder } from '#shared/storage/incoming.ts';
import { tooLarge } from '../response/errors.ts';
import type { AcceptedUpload, Upload } from './accepted-upload.ts';
import { receiveText, TEXT_UPLOAD_TYPES, uploadRequired } from './text-upload.ts';
import { receiveInTime } from './upload-time.ts';

const FORM_TYPE = 'multipart/form-data';
/** The default name of the form field that holds the file. */
const FILE_FIELD = 'uploadFile';
const MAX_FIELDS_BYTES = 100_000;
/** The form parser's error code for more than one file. */
const TOO_MANY_FILES = 1015;

const fieldOf = ({ field = FILE_FIELD }: AcceptedUpload): string => field;
/** The form fields that may hold the file. */
const fileFields = (accepted: AcceptedUpload): string[] => [fieldOf(accepted), ...(accepted.textFields ?? [])];
const hasFilesErrors = ({ errors }: AcceptedUpload): boolean => errors === 'files';

const fileTooLarge = (accepted: AcceptedUpload): AppError =>
  hasFilesErrors(accepted) ? new AppError(413, 'LIMIT_FILE_SIZE', 'File too large') : tooLarge(accepted.maxBytes);

const unexpectedFile = () => new AppError(400, 'LIMIT_UNEXPECTED_FILE', 'Unexpected field');

/** Creates the error for a form without a file in its field. `hasFiles`: whether other fields have files. */
const fileMissing = (accepted: AcceptedUpload, hasFiles: boolean): AppError => {
  if (hasFilesErrors(accepted)) return hasFiles ? unexpectedFile() : new AppError(400, 'NO_FILE', 'No file uploaded');
  return uploadRequired(fileFields(accepted));
};

/** Makes the form parser treat a text field that may hold the file as a file. */
const asFile = (fields: string[]) => (part: FormPart, handle: (part: FormPart) => void) => {
  if (fields.includes(part.name ?? '')) part.mimetype ??= 'text/plain';
  handle(part);
};

/** Receives a file that is sent as the body. Throws 413 for a file above the limit, 400 if the client disconnects. */
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
    if (error instanceof AppError || isDiskFull(error) || ctx.req.complete) throw error;
    throw new AppError(400, 'UPLOAD_ABORTED', 'The upload ended before the file was complete; send it again');
  }
  return { path: file, size, hash: hash.digest('hex'), fields: {}, pieces: () => createReadStream(file) };
};

interface FormPart {
  name: string | null;
  mimetype: string | null;
}

interface FormFile {
  filepath: string;
  originalFilename: string | null;
  mimetype?: string | null;
  size: number;
  hash?: string | null;
}

/** Maps an error of the form parser to 400 or 413. */
const formError = (error: unknown, accepted: AcceptedUpload): unknown => {
  const { httpCode, code } = error as { httpCode?: number; code?: number };
  if (httpCode === 413)
    return code === TOO_MANY_FILES && hasFilesErrors(accepted) ? unexpectedFile() : fileTooLarge(accepted);
  const isMalformed = httpCode !== undefined || (error as Error).name === 'FormidableError';
  return isMalformed
    ? new AppError(400, 'BAD_FORM', 'The form is not well-formed, or the upload was interrupted')
    : error;
};

/** Receives the file of a form. Throws 400 for a malformed form, 413 above the limit, 400 or 422 without a file. */
const receiveForm = async (ctx: Context, folder: string, accepted: AcceptedUpload): Promise<Upload> => {
  const { maxBytes } = accepted;
  const limits = { maxFileSize: maxBytes, maxTotalFileSize: maxBytes, maxFieldsSize: MAX_FIELDS_BYTES, maxFiles: 1 };
  const formidable = {
    ...limits,
    uploadDir: folder,
    hashAlgorithm: 'sha256' as const,
    allowEmptyFiles: true,
    minFileSize: 0,
    ...(accepted.textFields && { onPart: asFile(fileFields(accepted)) as never }),
  };
  try {
    await koaBody({ multipart: true, json: false, urlencoded: false, text: false, formidable })(ctx, async () => {});
  } catch (error) {
    throw formError(error, accepted);
  }
  const files = ctx.request.files as Record<string, FormFile | FormFile[]> | undefined;
  const file = fileFields(accepted).flatMap((name) => files?.[name] ?? [])[0];
  if (!file || Object.values(files ?? {}).some(Array.isArray))
    throw fileMissing(accepted, Object.keys(files ?? {}).length > 0);
  const { filepath, originalFilename, mimetype, size, hash } = file;
  return {
    name: originalFilename ?? undefined,
    type: mimetype ?? undefined,
    path: filepath,
    size,
    hash: hash ?? '',
    fields: (ctx.request.body ?? {}) as Record<string, unknown>,
    pieces: () => createReadStream(filepath),
  };
};

const receiveUpload = (ctx: Context, folder: string, accepted: AcceptedUpload): Promise<Upload> => {
  const { type, maxBytes } = accepted;
  const isForm = Boolean(ctx.is(FORM_TYPE));
  if (Number(ctx.get('content-length')) > maxBytes + (isForm ? MAX_FIELDS_BYTES : 0)) throw fileTooLarge(accepted);
  if (isForm) return receiveForm(ctx, folder, accepted);
  if (accepted.textFields && ctx.is(TEXT_UPLOAD_TYPES)) return receiveText(ctx, folder, accepted.textFields);
  if (type === undefined) throw fileMissing(accepted, false);
  const isFileBody = ctx.get('content-encoding') === '' && (!ctx.get('content-type') || ctx.is(type));
  if (isFileBody) return receiveBody(ctx, folder, accepted);
  const fields = fileFields(accepted).join(' or ');
  throw new AppError(415, 'UNSUPPORTED_TYPE', `Send ${type}, or ${FORM_TYPE} with the file in ${fields}`);
};

/**
 * Receives the file of a request, runs `work` with it, and deletes it. Throws 400 for an incomplete or malformed
 * upload, 408 for one that takes too long, 413 for a file above the limit, 415 for another media type, 422 for a form
 * without a file, 507 if the disk is full.
 */
export const withUpload = async <T>(
  ctx: Context,
  accepted: AcceptedUpload,
  work: (upload: Upload) => Promise<T>,
): Promise<T> => {
  try {
    return await withTemporaryFolder(async (folder) =>
      work(await receiveInTime(ctx, async () => receiveUpload(ctx, folder, accepted))),
    );
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    logger.error({ err: error }, 'upload not received: the disk is full');
    throw diskFull();
  }
};
