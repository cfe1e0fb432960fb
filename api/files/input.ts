/** Input and replies of the file endpoints. */
import { z } from 'zod';
import { config } from '#shared/config.ts';
import type { UploadResult } from '#shared/domain/files/upload-file.ts';
import { INPUT_LIMITS } from '../input-limits.ts';

export const FilePath = z
  .string()
  .max(INPUT_LIMITS.filePath)
  .meta({ description: '`filename` or `thumbnail` from the reply to an upload' });

/** A file in the form field `file`. */
export const FILE_IN_FORM = { field: 'file', errors: 'files', maxBytes: config.MAX_UPLOAD_FILE_SIZE } as const;

const EncodedPath = z.string().meta({ description: 'Path of the file, URL-encoded' });

export const UploadReply = z.strictObject({ message: z.string(), filename: EncodedPath });
export const ImageUploadReply = UploadReply.extend({
  thumbnail: EncodedPath.optional().meta({ description: 'Path of the thumbnail of an image, URL-encoded' }),
});

export const UPLOAD_ERRORS = {
  400: 'No file in the field `file`, an invalid name, or a malformed form',
  403: 'The extension or the content is not allowed, or the quota is exceeded',
  408: 'The upload took too long',
  413: 'The file is larger than `MAX_UPLOAD_FILE_SIZE`; the code is `LIMIT_FILE_SIZE`',
};

/** Returns the reply to an upload. */
export const uploadReply = (message: string, { path, thumbnail }: UploadResult) => ({
  message,
  filename: encodeURIComponent(path),
  ...(thumbnail !== undefined && { thumbnail: encodeURIComponent(thumbnail) }),
});
