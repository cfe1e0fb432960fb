/** The settings of uploaded files, a part of the schema in config.ts. */
import { extensionList, fileStorage, nonNegativeInteger, positiveInteger, seconds } from './setting-types.ts';

export const fileSettings = {
  MAX_UPLOAD_FILE_SIZE: positiveInteger
    .max(5_000_000_000)
    .default(26_214_400)
    .describe('Maximum size of an uploaded file, in bytes; at most 5,000,000,000'),
  UPLOAD_TIMEOUT_SECONDS: seconds
    .default(600)
    .describe('Maximum duration of an upload, in seconds; an upload that stalls for 30 seconds is aborted earlier'),
  UPLOADS_PER_PRINCIPAL: positiveInteger
    .default(10)
    .describe('Maximum number of uploads in progress per principal, in each API process'),
  UPLOADS_PER_NETWORK: positiveInteger
    .default(50)
    .describe('Maximum number of uploads in progress per network (IPv4 address or IPv6 /64), in each API process'),
  CHAT_FILES_ALLOW_LIST: extensionList
    .default(['.jpg', '.jpeg', '.png', '.gif', '.pdf', '.txt'])
    .describe('Comma-separated extensions of chat files, or `*/*` for any, unless the project sets its own'),
  ASSETS_FILES_ALLOW_LIST: extensionList
    .default(['.jpg', '.jpeg', '.png', '.gif', '.pdf', '.txt', '.md', '.csv', '.doc', '.docx'])
    .describe('Comma-separated extensions of assets, or `*/*` for any'),
  CHAT_FILE_EXPIRATION_TIME: seconds
    .default(30 * 86_400)
    .describe(
      'Lifetime of a chat file, of a file of an account, and of a file without an owner, in seconds; avatars and images of accounts do not expire',
    ),
  MAX_IMAGE_PIXELS: positiveInteger
    .default(100_000_000)
    .describe('Maximum number of pixels (width × height) of an uploaded image'),
  PROJECT_FILE_BYTES: nonNegativeInteger
    .default(10_000_000_000)
    .describe('Bytes of files that a project may store; 0: unlimited'),
  VISITOR_FILE_BYTES_PER_DAY: nonNegativeInteger
    .default(1_000_000_000)
    .describe('Bytes of files that the visitors of a project may upload together per day (UTC); 0: unlimited'),
  FILE_STORAGE: fileStorage
    .optional()
    .describe(
      'Storage of files: a folder, or `s3://KEY:SECRET@BUCKET/PREFIX?endpoint=URL&region=REGION`; without a key, the AWS SDK finds the credentials. Default: `files` in `DATA_DIR`',
    ),
  FILE_STORAGE_FALLBACK: fileStorage
    .optional()
    .describe('Second storage, read if a file is not in `FILE_STORAGE`; new files are not written to it'),
};
