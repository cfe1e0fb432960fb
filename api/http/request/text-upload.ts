/** Receives files whose content is a string in a field of a JSON body or a URL-encoded form. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from 'koa';
import { AppError } from '#shared/errors.ts';
import { readBody } from './input.ts';
import type { Upload } from './accepted-upload.ts';

/** The media types of the bodies that `receiveText` reads. */
export const TEXT_UPLOAD_TYPES = ['application/json', 'application/x-www-form-urlencoded'];

/** Creates the 422 error for a body that has no file in any of these fields. */
export const uploadRequired = (fields: readonly string[]): AppError => {
  const place = fields.length > 1 ? 'one of these fields' : 'this field';
  const text = `${fields.join(' or ')} is required: the body must contain exactly one file in ${place}`;
  return new AppError(422, 'INVALID', text);
};

/**
 * Receives the file from the first of the named fields that is a string, and returns the remaining fields with it.
 * Throws 413 for a body larger than BULK_BODY_LIMIT, 422 for a body without a file.
 */
export const receiveText = async (ctx: Context, folder: string, names: readonly string[]): Promise<Upload> => {
  const { ...fields } = (await readBody(ctx, 'bulk')) as Record<string, unknown>;
  const name = names.find((each) => typeof fields[each] === 'string');
  if (name === undefined) throw uploadRequired(names);
  const bytes = Buffer.from(fields[name] as string);
  delete fields[name];
  const path = join(folder, 'body');
  await writeFile(path, bytes);
  const hash = createHash('sha256').update(bytes).digest('hex');
  return { path, size: bytes.length, hash, fields, pieces: () => createReadStream(path) };
};
