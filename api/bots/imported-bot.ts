/** Reads the JSON of an exported bot from an upload. */
import { buffer } from 'node:stream/consumers';
import { ImportedBot } from '#shared/domain/bots/import-input.ts';
import { AppError } from '#shared/errors.ts';
import { predicateOf } from '#shared/wire/validation-messages.ts';
import { assertBodyDepth, omitEmptyFields } from '../http/request/input.ts';
import type { Upload } from '../http/request/accepted-upload.ts';
import { validationError } from '../http/response/errors.ts';

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError(400, 'BAD_JSON', 'The file is not well-formed JSON');
  }
};

/** Reads an exported bot. Throws 400 for malformed JSON, 422 for anything that is not an exported bot. */
export const readImportedBot = async (upload: Upload): Promise<ImportedBot> => {
  const input = parseJson((await buffer(upload.pieces())).toString('utf8'));
  if (input && typeof input === 'object') assertBodyDepth(input);
  const result = ImportedBot.safeParse(omitEmptyFields(ImportedBot, input), { error: predicateOf });
  if (!result.success) throw validationError(result.error, 'body', input);
  return result.data;
};
