/** Reads an uploaded JSON file. */
import { buffer } from 'node:stream/consumers';
import { AppError } from '#shared/errors.ts';
import type { Upload } from './accepted-upload.ts';
import { assertBodyDepth } from './input.ts';

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError(400, 'BAD_JSON', 'The file is not well-formed JSON');
  }
};

/** Reads an uploaded JSON file. Throws 400 for malformed JSON, 422 for deep nesting. */
export const readJsonUpload = async (upload: Upload): Promise<unknown> => {
  const input = parseJson((await buffer(upload.pieces())).toString('utf8'));
  if (input && typeof input === 'object') assertBodyDepth(input);
  return input;
};
