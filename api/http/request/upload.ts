/**
 * Receives uploaded files, as the body or in a form. They are streamed to a temporary folder, and deleted after the
 * call. A file that is a string in a field of the body is first read into memory (`text-upload.ts`).
 */
import { join } from 'node:path';
import type { Context } from 'koa';
import { AppError } from '#shared/errors.ts';
import { logger } from '#shared/logger.ts';
import { diskFull, isDiskFull } from '#shared/storage/disk-full.ts';
import { withTemporaryFolder } from '#shared/storage/incoming.ts';
import { tooLarge } from '../response/errors.ts';
import type { AcceptedUpload, Upload } from './accepted-upload.ts';
import { fileFields, fileMissing, fileTooLarge, isFormTooLarge, receiveForm } from './form-upload.ts';
import { storeUpload } from './store-upload.ts';
import { receiveText, TEXT_UPLOAD_TYPES } from './text-upload.ts';
import { receiveInTime } from './upload-time.ts';

const FORM_TYPE = 'multipart/form-data';

/**
 * Receives a file that is sent as the body. Throws 413 for a file larger than the limit, 400 if the client disconnects.
 */
const receiveBody = async (ctx: Context, folder: string, { maxBytes }: AcceptedUpload): Promise<Upload> => {
  try {
    // The connection must stay open, so that the 413 can be sent.
    const body = ctx.req.iterator({ destroyOnReturn: false });
    return await storeUpload(body, join(folder, 'body'), { maxBytes, createSizeError: tooLarge });
  } catch (error) {
    if (error instanceof AppError || isDiskFull(error) || ctx.req.complete) throw error;
    throw new AppError(400, 'UPLOAD_ABORTED', 'The upload ended before the file was complete; send it again');
  }
};

const receiveUpload = (ctx: Context, folder: string, accepted: AcceptedUpload): Promise<Upload> => {
  const { type, maxBytes } = accepted;
  const isForm = Boolean(ctx.is(FORM_TYPE));
  const contentLength = Number(ctx.get('content-length'));
  if (isForm ? isFormTooLarge(contentLength, accepted) : contentLength > maxBytes) throw fileTooLarge(accepted);
  if (isForm) return receiveForm(ctx, folder, accepted);
  if (accepted.textFields && ctx.is(TEXT_UPLOAD_TYPES)) return receiveText(ctx, folder, accepted.textFields);
  if (type === undefined) throw fileMissing(accepted);
  const isFileBody = ctx.get('content-encoding') === '' && (!ctx.get('content-type') || ctx.is(type));
  if (isFileBody) return receiveBody(ctx, folder, accepted);
  const fields = fileFields(accepted).join(' or ');
  throw new AppError(415, 'UNSUPPORTED_TYPE', `Send ${type}, or ${FORM_TYPE} with the file in ${fields}`);
};

/**
 * Receives the file of a request, runs `work` with it, and deletes it. Throws 400 for an incomplete or malformed
 * upload, 408 for one that takes too long, 413 for a file larger than the limit, 415 for a media type that the endpoint
 * does not accept, 400 or 422 for a form without a file (see `AcceptedUpload.errors`), 507 if the disk is full.
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
