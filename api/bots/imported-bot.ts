/** Reads the JSON of an exported bot from an upload. */
import { ImportedBot } from '#shared/domain/bots/import-input.ts';
import { predicateOf } from '#shared/wire/validation-messages.ts';
import { omitEmptyFields } from '../http/request/input.ts';
import { readJsonUpload } from '../http/request/json-upload.ts';
import type { Upload } from '../http/request/accepted-upload.ts';
import { validationError } from '../http/response/errors.ts';

/** Reads an exported bot. Throws 400 for malformed JSON, 422 for JSON that is not an exported bot. */
export const readImportedBot = async (upload: Upload): Promise<ImportedBot> => {
  const input = await readJsonUpload(upload);
  const result = ImportedBot.safeParse(omitEmptyFields(ImportedBot, input), { error: predicateOf });
  if (!result.success) throw validationError(result.error, 'body', input);
  return result.data;
};
