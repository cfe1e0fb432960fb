/** Receives a form with a file, and streams the file to a folder. */
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { Context } from 'koa';
import { AppError } from '#shared/errors.ts';
import { isDiskFull } from '#shared/storage/disk-full.ts';
import { tooLarge } from '../response/errors.ts';
import type { AcceptedUpload, Upload } from './accepted-upload.ts';
import { storeUpload } from './store-upload.ts';
import { uploadRequired } from './text-upload.ts';

/** The default name of the form field that holds the file. */
const FILE_FIELD = 'uploadFile';
/** Maximum size of the other fields in bytes, individually and in total, and their maximum number. */
const MAX_FIELDS_BYTES = 100_000;
const MAX_FIELDS = 1000;

/** Whether errors have the codes and texts of `api/files`, which deployed clients know. */
const usesErrorsOfFiles = ({ errors }: AcceptedUpload): boolean => errors === 'files';

/** Returns the names of the form fields that may hold the file. */
export const fileFields = ({ field = FILE_FIELD, textFields = [] }: AcceptedUpload): string[] => [field, ...textFields];

/** Creates the error for a file larger than the limit. */
export const fileTooLarge = (accepted: AcceptedUpload): AppError =>
  usesErrorsOfFiles(accepted) ? new AppError(413, 'LIMIT_FILE_SIZE', 'File too large') : tooLarge(accepted.maxBytes);

/** Creates the error for an upload without a file. */
export const fileMissing = (accepted: AcceptedUpload): AppError =>
  usesErrorsOfFiles(accepted) ? new AppError(400, 'NO_FILE', 'No file uploaded') : uploadRequired(fileFields(accepted));

/** Creates the error for a second file, or for a file in another field. */
const unexpectedFile = (accepted: AcceptedUpload): AppError =>
  usesErrorsOfFiles(accepted)
    ? new AppError(400, 'LIMIT_UNEXPECTED_FILE', 'Unexpected field')
    : uploadRequired(fileFields(accepted));

/** Whether the `Content-Length` of a form shows that its file is larger than the limit. */
export const isFormTooLarge = (contentLength: number, { maxBytes }: AcceptedUpload): boolean =>
  contentLength > maxBytes + MAX_FIELDS_BYTES;

const badForm = () => new AppError(400, 'BAD_FORM', 'The form is not well-formed, or the upload was interrupted');

/**
 * Maps an error of the form parser or of the connection to 400. Errors of the parser have no type of their own, so
 * every error is mapped unless it is an `AppError` or an error of the operating system.
 */
const toFormError = (error: unknown, { req }: Context): unknown => {
  const isOurs = error instanceof AppError || isDiskFull(error);
  const isFromSystem = (error as NodeJS.ErrnoException).syscall !== undefined && !req.destroyed;
  return isOurs || isFromSystem ? error : badForm();
};

const createParser = ({ headers }: Context, { textFields = [], maxBytes }: AcceptedUpload): BusboyInstance => {
  try {
    return new Busboy({
      headers: headers as { 'content-type': string },
      // The parser cuts off files at `fileSize`: one byte over the limit, so that `storeUpload` notices a larger file.
      limits: { files: 1, fileSize: maxBytes + 1, fields: MAX_FIELDS, fieldSize: MAX_FIELDS_BYTES },
      preservePath: true, // keeps `/` in the name, so that `storedName` refuses it; only Windows paths are shortened
      isPartAFile: (field = '', type, fileName) =>
        fileName !== undefined || type === 'application/octet-stream' || textFields.includes(field),
    });
  } catch {
    throw badForm(); // the boundary is missing
  }
};

/** Removes the folders that old browsers on Windows send with a file name. */
const withoutWindowsPath = (fileName: string | undefined) => fileName?.slice(fileName.lastIndexOf('\\') + 1);

/** Collects the other fields of a form. A repeated field becomes an array. */
const createFields = () => {
  const values = new Map<string, string | string[]>();
  let bytes = 0;
  return {
    /** Adds a value. Returns whether all values are still within the limit. */
    add: (name: string, value: string): boolean => {
      bytes += Buffer.byteLength(value);
      const present = values.get(name);
      values.set(name, present === undefined ? value : [present, value].flat());
      return bytes <= MAX_FIELDS_BYTES;
    },
    toObject: (): Record<string, unknown> => Object.fromEntries(values),
  };
};

/**
 * Receives the file of a form and its other fields. Throws 400 for a malformed form, 413 if a limit is exceeded, 400 or
 * 422 unless the form has exactly one file, in the expected field.
 */
export const receiveForm = async (ctx: Context, folder: string, accepted: AcceptedUpload): Promise<Upload> => {
  const parser = createParser(ctx, accepted);
  const stop = new AbortController();
  const { signal } = stop;
  const limits = { maxBytes: accepted.maxBytes, createSizeError: () => fileTooLarge(accepted), signal };
  const fields = createFields();
  let stored: Promise<Upload> | undefined;
  parser.on('file', (field, file, fileName, _encoding, type) => {
    if (!fileFields(accepted).includes(field)) stop.abort(unexpectedFile(accepted));
    const declared = { name: withoutWindowsPath(fileName), type };
    stored = storeUpload(file, join(folder, 'file'), limits).then((upload) => ({ ...upload, ...declared }));
    stored.catch((error: unknown) => stop.abort(error));
  });
  parser.on('filesLimit', () => stop.abort(unexpectedFile(accepted)));
  parser.on('field', (name, value, _isNameTruncated, isTruncated) => {
    if (isTruncated || !fields.add(name, value)) stop.abort(tooLarge(MAX_FIELDS_BYTES));
  });
  parser.on('fieldsLimit', () => stop.abort(tooLarge(MAX_FIELDS_BYTES)));
  try {
    // The connection must stay open, so that an error can be sent.
    await pipeline(ctx.req.iterator({ destroyOnReturn: false }), parser, { signal });
    const upload = await stored;
    if (!upload) throw fileMissing(accepted);
    return { ...upload, fields: fields.toObject() };
  } catch (error) {
    await stored?.catch(() => undefined);
    throw toFormError(signal.aborted ? signal.reason : error, ctx);
  }
};
