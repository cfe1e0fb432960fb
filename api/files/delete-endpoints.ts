/** Endpoints that delete files. */
import { z } from 'zod';
import { assertMayRemove } from '#shared/domain/files/permissions.ts';
import { fileNotFound, findFile } from '#shared/domain/files/read-file.ts';
import { removeFile } from '#shared/domain/files/remove-file.ts';
import { AppError } from '#shared/errors.ts';
import { logger } from '#shared/logger.ts';
import type { Actor } from '../http/auth/authenticate.ts';
import { endpoint } from '../http/endpoint.ts';
import { FilePath, UploadReply } from './input.ts';

const DeleteQuery = z.object({ path: FilePath });
const MISSING_PATH = { path: 'Path parameter is required' };

interface Deletion {
  path: string;
  actor: Actor;
  /** If given, only a file of this project may be deleted. */
  project?: string;
  message: string;
}

const removeOrFail = async (key: { _id: string; id_project: string }): Promise<void> => {
  try {
    await removeFile(key);
  } catch (error) {
    logger.error({ err: error, file: key._id }, 'file not deleted');
    throw new AppError(500, 'STORAGE_ERROR', 'Error deleting file.');
  }
};

/**
 * Deletes a file and its thumbnail. Throws 400 for a folder, 403 if the actor may not delete the file, 404 for an
 * unknown file, and 500 if the storage fails.
 */
const deleteFile = async ({ path, actor, project, message }: Deletion) => {
  if (path.endsWith('/')) throw new AppError(400, 'NO_FILE_NAME', 'No filename specified in path');
  const file = await findFile(path);
  if (!file || (project && file.id_project !== project)) throw fileNotFound();
  await assertMayRemove(file, actor);
  await removeOrFail({ _id: String(file._id), id_project: file.id_project });
  return { message, filename: encodeURIComponent(file.path) };
};

export default [
  endpoint({
    method: 'delete',
    path: '/v3/files',
    role: 'any',
    summary:
      'Delete a file and its thumbnail. Agents can delete the chat files of their projects, admins all files of their projects, and accounts their own files',
    query: DeleteQuery,
    missingParameterErrors: MISSING_PATH,
    reply: UploadReply,
    handle: ({ actor, query: { path } }) => deleteFile({ path, actor, message: 'File deleted successfully' }),
  }),
  endpoint({
    method: 'delete',
    path: '/v3/:project_id/files',
    role: 'agent',
    summary: 'Delete a file of the project and its thumbnail. Agents can delete chat files, and admins all files',
    query: DeleteQuery,
    missingParameterErrors: MISSING_PATH,
    reply: UploadReply,
    handle: ({ actor, project, query: { path } }) =>
      deleteFile({ path, actor, project, message: 'File deleted successfully' }),
  }),
  endpoint({
    method: 'delete',
    path: '/v3/images/users',
    role: 'any',
    summary: 'Delete an image of the caller (legacy clients)',
    query: DeleteQuery,
    missingParameterErrors: MISSING_PATH,
    reply: UploadReply,
    handle: ({ actor, query: { path } }) => deleteFile({ path, actor, message: 'Image deleted successfully' }),
  }),
];
