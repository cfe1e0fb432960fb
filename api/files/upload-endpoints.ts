/** Endpoints that store files of a project, and avatars. */
import { z } from 'zod';
import { avatarOwner } from '#shared/domain/files/permissions.ts';
import { uploadAsset, uploadAvatar, uploadChatFile } from '#shared/domain/files/upload-file.ts';
import { integer } from '#shared/wire/coercion.ts';
import { endpoint } from '../http/endpoint.ts';
import type { Upload } from '../http/request/accepted-upload.ts';
import { FILE_IN_FORM, ImageUploadReply, UPLOAD_ERRORS, uploadReply, UploadReply } from './input.ts';

const BASE_PATH = '/v3/:project_id/files';
const MAX_EXPIRATION_SECONDS = 3_000_000_000;

export default [
  endpoint({
    method: 'post',
    path: `${BASE_PATH}/assets`,
    role: 'admin',
    programs: 'all',
    summary: 'Store an asset: a file that belongs to the project rather than to a chat. Images get a thumbnail',
    query: z.object({
      expiration: integer(-MAX_EXPIRATION_SECONDS, MAX_EXPIRATION_SECONDS)
        .optional()
        .meta({ description: 'Seconds until the file expires. If absent, 0 or negative, the file never expires' }),
    }),
    uploads: FILE_IN_FORM,
    reply: ImageUploadReply,
    status: 201,
    errors: UPLOAD_ERRORS,
    handle: async ({ project, actor, upload, query: { expiration } }) => {
      const stored = await uploadAsset(project, upload as Upload, { ...actor, expiration });
      return uploadReply('File uploaded successfully', stored);
    },
  }),
  endpoint({
    method: 'post',
    path: `${BASE_PATH}/chat`,
    role: 'guest',
    programs: 'all',
    summary: 'Store a file of a chat; it expires after `CHAT_FILE_EXPIRATION_TIME`',
    uploads: FILE_IN_FORM,
    reply: UploadReply,
    status: 201,
    errors: UPLOAD_ERRORS,
    handle: async ({ project, actor, upload }) =>
      uploadReply('File uploaded successfully', await uploadChatFile(project, upload as Upload, actor)),
  }),
  endpoint({
    method: 'post',
    path: `${BASE_PATH}/users/photo`,
    role: 'agent',
    programs: 'all',
    summary: 'Store the avatar of the caller or of a bot, replacing the previous avatar',
    query: z.object({
      bot_id: z.string().optional().meta({ description: 'Id of a bot whose project the caller administers' }),
    }),
    uploads: FILE_IN_FORM,
    reply: ImageUploadReply,
    status: 201,
    errors: UPLOAD_ERRORS,
    handle: async ({ actor, upload, query: { bot_id } }) => {
      const stored = await uploadAvatar(upload as Upload, await avatarOwner(actor, bot_id), actor);
      return uploadReply('Image uploaded successfully', stored);
    },
  }),
];
