/** Reads the JSON file of an exported knowledge base. */
import { AppError } from '#shared/errors.ts';
import { MAX_CONTENTS_PER_CALL, type ContentInput } from '#shared/domain/knowledge/contents.ts';
import { predicateOf } from '#shared/wire/validation-messages.ts';
import { z } from 'zod';
import { validationError } from '../http/response/errors.ts';
import { ImportedContent } from './content-input.ts';

const badFile = (error: string) => new AppError(400, 'INVALID', error);

const isEmpty = (value: unknown): boolean => value === null || value === '';

/** Returns the fields of a content that are imported. An empty field is omitted, except `content`. */
const importedFields = (item: unknown): unknown => {
  if (!item || typeof item !== 'object' || Array.isArray(item)) return item;
  return Object.fromEntries(Object.entries(item).filter(([name, value]) => name === 'content' || !isEmpty(value)));
};

const ImportedContents = z.array(ImportedContent).max(MAX_CONTENTS_PER_CALL);

/**
 * Returns the contents of an exported knowledge base, as contents of `namespace`. Ids, dates and the namespace in the
 * file are ignored. Throws 400 for a file without contents, and 422 for an invalid content.
 */
export const readImportedContents = (file: unknown, namespace: string): ContentInput[] => {
  const { contents } = (file ?? {}) as { contents?: unknown };
  if (contents === undefined) throw badFile('Imported json must contain the contents array');
  // Deployed clients read the message with the misspelled field name.
  if (!Array.isArray(contents)) throw badFile('The content field must be of type Array[]');
  const result = ImportedContents.safeParse(contents.map(importedFields), { error: predicateOf });
  if (!result.success) throw validationError(result.error, 'body', contents);
  return result.data.map((content) => ({ ...content, namespace }));
};
