/**
 * Endpoints that read files. The path of a file is the only credential, because image tags cannot send any other. Paths
 * contain a UUID, except the paths of avatars and of the images that an account stores under names of its own: anyone
 * who knows the id of the owner (and, for an image, the name) can read these files.
 */
import { z } from 'zod';
import { type ReadableFile, readFile } from '#shared/domain/files/read-file.ts';
import { isInlineType } from '#shared/domain/files/file-types.ts';
import { AppError } from '#shared/errors.ts';
import { endpoint, FileContent } from '../http/endpoint.ts';
import { FilePath } from './input.ts';

const ReadQuery = z.object({
  path: FilePath,
  as_attachment: z.string().optional().meta({ description: 'Any value: the file is sent as an attachment' }),
});

const MISSING_PATH = { path: 'Path parameter is required' };
const ANY_TYPE = 'application/octet-stream';
const FileBytes = z.string().meta({ format: 'binary', description: 'The file, with its media type' });
const READ_ERRORS = { 416: 'The range is outside the file' };

/** Returns the file as an attachment if this is requested, or if its type must not be shown inline. */
const fileContent = (file: ReadableFile, asAttachment: boolean): FileContent =>
  new FileContent({ ...file, etag: `"${file.hash}"`, isAttachment: asAttachment || !isInlineType(file.type) });

/** Replaces the messages of errors with the messages that clients of `/images` expect. */
const withImageTexts = async <T>(pending: Promise<T>): Promise<T> => {
  try {
    return await pending;
  } catch (error) {
    const status = error instanceof AppError ? error.status : 0;
    if (status === 404) throw new AppError(404, 'NOT_FOUND', 'Image not found.');
    if (status === 500) throw new AppError(500, 'STORAGE_ERROR', 'Error getting image.');
    throw error;
  }
};

export default [
  endpoint({
    method: 'get',
    path: '/v3/files',
    aliases: [{ path: '/v3/:project_id/files' }],
    role: 'none',
    summary: 'Read a file or its thumbnail',
    query: ReadQuery,
    missingParameterErrors: MISSING_PATH,
    reply: FileBytes,
    errors: READ_ERRORS,
    downloads: ANY_TYPE,
    handle: async ({ query: { path, as_attachment } }) =>
      fileContent(await readFile(path), as_attachment !== undefined),
  }),
  endpoint({
    method: 'get',
    path: '/v3/files/download',
    aliases: [{ path: '/v3/:project_id/files/download' }],
    role: 'none',
    summary: 'Download a file under its original name',
    query: ReadQuery.pick({ path: true }),
    missingParameterErrors: MISSING_PATH,
    reply: FileBytes,
    errors: READ_ERRORS,
    downloads: ANY_TYPE,
    handle: async ({ query: { path } }) => fileContent(await readFile(path), true),
  }),
  endpoint({
    method: 'get',
    path: '/v3/images',
    role: 'none',
    summary: 'Read an image (legacy clients)',
    query: ReadQuery,
    missingParameterErrors: MISSING_PATH,
    reply: FileBytes,
    errors: READ_ERRORS,
    downloads: ANY_TYPE,
    handle: async ({ query: { path, as_attachment } }) =>
      fileContent(await withImageTexts(readFile(path)), as_attachment !== undefined),
  }),
];
