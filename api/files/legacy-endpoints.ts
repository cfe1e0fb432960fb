/** Uploads without a project, for older clients. The messages keep the misspellings that these clients expect. */
import { z } from 'zod';
import { config } from '#shared/config.ts';
import { LEGACY_IMAGE_EXTENSIONS } from '#shared/domain/files/file-types.ts';
import { avatarOwner } from '#shared/domain/files/permissions.ts';
import { findFile } from '#shared/domain/files/read-file.ts';
import {
  avatarPath,
  legacyFolder,
  type ReceivedFile,
  uploadAvatar,
  uploadLegacyFile,
} from '#shared/domain/files/upload-file.ts';
import { AppError } from '#shared/errors.ts';
import { flag } from '#shared/wire/coercion.ts';
import type { Actor } from '../http/auth/authenticate.ts';
import { endpoint } from '../http/endpoint.ts';
import type { Upload } from '../http/request/accepted-upload.ts';
import { FILE_IN_FORM, ImageUploadReply, UPLOAD_ERRORS, uploadReply, UploadReply } from './input.ts';

const FILE_UPLOADED = 'File uploded successfully';
const IMAGE_UPLOADED = 'Image uploded successfully';
const EXISTS_ERRORS = { ...UPLOAD_ERRORS, 409: 'A file with this path already exists' };

const fileExists = (text: string) => new AppError(409, 'FILE_EXISTS', text);

/** The uploader of files without an owner. It is used even if the caller sends credentials. */
const anonymousUploader = { kind: 'anonymous', id: 'anonymous' } as const;

const storeFile = async (upload: Upload | undefined, actor: Actor) =>
  uploadReply(
    FILE_UPLOADED,
    await uploadLegacyFile(upload as ReceivedFile, actor, {
      folder: 'files',
      extensions: config.CHAT_FILES_ALLOW_LIST,
      expires: true,
      failureText: 'Error uploading file',
    }),
  );

const storeImage = async (upload: Upload | undefined, actor: Actor, isFixed = false) =>
  uploadReply(
    IMAGE_UPLOADED,
    await uploadLegacyFile(upload as ReceivedFile, actor, {
      folder: 'images',
      extensions: LEGACY_IMAGE_EXTENSIONS,
      isFixed,
      failureText: 'Error uploading image',
    }),
  );

const uploads = { uploads: FILE_IN_FORM, status: 201, errors: UPLOAD_ERRORS } as const;

export default [
  endpoint({
    method: 'post',
    path: '/v3/files/users',
    role: 'any',
    summary: 'Store a file for the caller (legacy clients); it expires like a chat file',
    ...uploads,
    reply: UploadReply,
    handle: ({ upload, actor }) => storeFile(upload, actor),
  }),
  endpoint({
    method: 'post',
    path: '/v3/files/public',
    role: 'none',
    summary: 'Store a file without an owner (legacy clients); it expires like a chat file',
    ...uploads,
    reply: UploadReply,
    handle: ({ upload }) => storeFile(upload, anonymousUploader),
  }),
  endpoint({
    method: 'post',
    path: '/v3/images/users',
    role: 'any',
    summary: 'Store an image for the caller (legacy clients)',
    ...uploads,
    reply: ImageUploadReply,
    handle: ({ upload, actor }) => storeImage(upload, actor),
  }),
  endpoint({
    method: 'post',
    path: '/v3/images/public',
    role: 'none',
    summary: 'Store an image without an owner (legacy clients); it expires like a chat file',
    ...uploads,
    reply: ImageUploadReply,
    handle: ({ upload }) => storeImage(upload, anonymousUploader),
  }),
  endpoint({
    method: 'put',
    path: '/v3/images/users',
    role: 'any',
    summary: 'Store an image for the caller under the name of the uploaded file (legacy clients)',
    ...uploads,
    errors: EXISTS_ERRORS,
    reply: ImageUploadReply,
    handle: async ({ upload, actor }) => {
      const path = `${legacyFolder(actor, 'images')}/${upload?.name}`;
      if (await findFile(path)) throw fileExists('Error uploading user image, file already exists');
      return storeImage(upload, actor, true);
    },
  }),
  endpoint({
    method: 'put',
    path: '/v3/images/users/photo',
    role: 'any',
    summary: 'Store the avatar of the caller or of a bot (legacy clients)',
    query: z.object({
      bot_id: z.string().optional().meta({ description: 'Id of a bot whose project the caller administers' }),
      force: flag().optional().meta({ description: '`true`: replaces an existing avatar' }),
    }),
    ...uploads,
    errors: EXISTS_ERRORS,
    reply: ImageUploadReply,
    handle: async ({ upload, actor, query: { bot_id, force } }) => {
      const owner = await avatarOwner(actor, bot_id);
      if (force !== true && (await findFile(avatarPath(owner.id))))
        throw fileExists('Error uploading photo image, file already exists');
      return uploadReply(IMAGE_UPLOADED, await uploadAvatar(upload as ReceivedFile, owner, actor));
    },
  }),
];
