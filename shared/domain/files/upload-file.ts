/** Checks uploads and stores them under paths that depend on their kind, such as chat file or avatar. */
import { hash } from 'node:crypto';
import { config } from '../../config.ts';
import { newUuid } from '../../context.ts';
import { Project } from '../../models/project.ts';
import { NO_PROJECT } from '../../models/stored-file.ts';
import { currentTimeMs } from '../../time/clock.ts';
import { roleRank } from '../../wire/roles.ts';
import { assertContent } from './content-check.ts';
import { storedName, thumbnailPath } from './file-names.ts';
import {
  type AllowedExtensions,
  assertDeclaredType,
  assertExtension,
  hasThumbnail,
  IMAGE_EXTENSIONS,
  parseExtensions,
  typeOfName,
} from './file-types.ts';
import { type NewFile, storeFile } from './store-file.ts';
import { countVisitorUpload } from './usage.ts';

export interface ReceivedFile {
  name?: string;
  /** The media type that the client declares. */
  type?: string;
  size: number;
  hash: string;
  /** The local file with the bytes. */
  path: string;
}

/** The caller that uploads a file. */
export interface Uploader {
  kind: string;
  id: string;
  role?: string;
  /** The project whose keys have signed the credentials. */
  project?: string;
}

/** The paths of a stored file and, if it gets one, of its thumbnail. */
export interface UploadResult {
  path: string;
  thumbnail?: string;
}

/**
 * Returns the owner of a file that belongs to no project. For a user of a project's own system, the id of the project
 * precedes the user's id, which the project has chosen.
 */
export const ownerId = ({ kind, id, project }: Uploader): string => (kind === 'userexternal' ? `${project}:${id}` : id);

/**
 * Returns an id as a path segment: unchanged, or hashed if it is long or has characters that a path must not contain.
 */
const segmentOf = (id: string): string => (/^[\w-]{1,64}$/.test(id) ? id : hash('sha256', id).slice(0, 32));

const VISITOR_KINDS = ['guest', 'userexternal', 'anonymous'];

const secondsFromNow = (seconds: number): Date => new Date(currentTimeMs() + seconds * 1000);

/** Where and how a checked file is stored. */
interface Placement extends Pick<NewFile, 'id_project' | 'kind' | 'expiresAt'> {
  path(name: string): string;
  key?(name: string): string;
  allowed: AllowedExtensions;
  withThumbnail: boolean;
  /** The error message if the storage is unavailable. Deployed clients rely on its text. */
  failureText: string;
}

/**
 * Checks and stores a file. Errors: 400 if the name is invalid, 403 if the extension, declared type or content is not
 * allowed or the quota would be exceeded, 429 if the visitors of the project have used up their daily budget, 507 if
 * the disk is full, 500 if the storage is unavailable.
 */
const upload = async (file: ReceivedFile, uploader: Uploader, placement: Placement): Promise<UploadResult> => {
  const { allowed, withThumbnail, failureText, path: pathOf, key: keyOf = pathOf, ...fields } = placement;
  const name = storedName(file.name);
  assertExtension(name, allowed);
  assertDeclaredType(name, file.type, allowed);
  const type = typeOfName(name);
  await assertContent({ path: file.path, size: file.size, type });
  if (VISITOR_KINDS.includes(uploader.kind)) await countVisitorUpload(fields.id_project, file.size);
  const path = pathOf(name);
  const { size, hash, path: source } = file;
  const createdBy = fields.id_project === NO_PROJECT ? ownerId(uploader) : uploader.id;
  const stored = { ...fields, path, key: keyOf(name), name, type, size, hash, source, createdBy };
  const isThumbnailMade = withThumbnail && hasThumbnail(name);
  await storeFile({ ...stored, hasThumbnail: isThumbnailMade }, failureText);
  return { path, ...(isThumbnailMade && { thumbnail: thumbnailPath(path) }) };
};

/** Returns a function that maps the name of an upload to a path or storage key in a new folder. */
const inFolder = (folder: string) => {
  const folderOfUpload = `${folder}/${newUuid()}`;
  return (name: string) => `${folderOfUpload}/${name}`;
};

/** Returns the extensions that a project allows in chats. They may differ for teammates and visitors. */
const chatExtensions = async (id_project: string, { kind, role = '' }: Uploader): Promise<string[]> => {
  const fields = { 'settings.allowed_upload_extentions': 1, 'widget.allowedUploadExtentions': 1 } as const;
  const project = await Project.findOne({ _id: id_project }, fields).lean();
  const { settings, widget } = (project ?? {}) as {
    settings?: { allowed_upload_extentions?: unknown };
    widget?: { allowedUploadExtentions?: unknown };
  };
  const isTeam = !VISITOR_KINDS.includes(kind) && (kind !== 'user' || roleRank(role) >= roleRank('agent'));
  const own = isTeam ? settings?.allowed_upload_extentions : widget?.allowedUploadExtentions;
  return typeof own === 'string' && own.trim() ? parseExtensions(own) : config.CHAT_FILES_ALLOW_LIST;
};

/** Stores a chat file, which expires after CHAT_FILE_EXPIRATION_TIME. Errors: see `upload`. */
export const uploadChatFile = async (
  id_project: string,
  file: ReceivedFile,
  uploader: Uploader,
): Promise<UploadResult> =>
  upload(file, uploader, {
    id_project,
    kind: 'chat',
    path: inFolder(`uploads/projects/${id_project}/files`),
    allowed: { list: await chatExtensions(id_project, uploader) },
    withThumbnail: false,
    expiresAt: secondsFromNow(config.CHAT_FILE_EXPIRATION_TIME),
    failureText: 'Error updating file chunks',
  });

/** Stores an asset, which expires after `expiration` seconds if the number is positive. Errors: see `upload`. */
export const uploadAsset = (
  id_project: string,
  file: ReceivedFile,
  { expiration = 0, ...uploader }: Uploader & { expiration?: number },
): Promise<UploadResult> =>
  upload(file, uploader, {
    id_project,
    kind: 'asset',
    path: inFolder(`uploads/projects/${id_project}/files`),
    allowed: { list: config.ASSETS_FILES_ALLOW_LIST },
    withThumbnail: true,
    ...(expiration > 0 && { expiresAt: secondsFromNow(expiration) }),
    failureText: 'Error uploading asset',
  });

/** The owner of an avatar: an account, or a bot of a project. */
export interface AvatarOwner {
  id: string;
  /** The project of a bot. */
  id_project?: string;
}

/** Returns the path of an avatar, which is the same for every image type. */
export const avatarPath = (id: string): string => `uploads/users/${segmentOf(id)}/images/photo.jpg`;

/** Stores an avatar, which replaces the previous one. Errors: see `upload`. */
export const uploadAvatar = (file: ReceivedFile, owner: AvatarOwner, uploader: Uploader): Promise<UploadResult> => {
  const folder = owner.id_project
    ? `uploads/projects/${owner.id_project}/avatars/${owner.id}`
    : `uploads/users/${segmentOf(owner.id)}/images`;
  const keyOf = inFolder(folder);
  return upload(file, uploader, {
    id_project: owner.id_project ?? NO_PROJECT,
    kind: 'avatar',
    path: () => avatarPath(owner.id),
    key: () => keyOf('photo.jpg'),
    allowed: { list: IMAGE_EXTENSIONS, suffix: ' for avatar' }, // appended to `File extension … is not allowed`
    withThumbnail: true,
    failureText: 'Error uploading user image.',
  });
};

/** How legacy clients (see api/files/legacy-endpoints.ts) upload a file that belongs to no project. */
export interface LegacyUpload {
  folder: 'files' | 'images';
  extensions: string[];
  /** The path contains no folder per upload, only the folder of the caller; the endpoint rejects an existing path. */
  isFixed?: boolean;
  expires?: boolean;
  failureText: string;
}

/** Returns the folder of a caller's files that belong to no project. */
export const legacyFolder = (uploader: Uploader, folder: LegacyUpload['folder']): string =>
  `uploads/${uploader.kind === 'anonymous' ? 'public' : `users/${segmentOf(ownerId(uploader))}`}/${folder}`;

/** Stores a file of an account, or a public file if the caller has no credentials. Errors: see `upload`. */
export const uploadLegacyFile = (
  file: ReceivedFile,
  uploader: Uploader,
  { folder, extensions, isFixed, expires, failureText }: LegacyUpload,
): Promise<UploadResult> => {
  const isPublic = uploader.kind === 'anonymous';
  const root = legacyFolder(uploader, folder);
  const keyOf = inFolder(root);
  return upload(file, uploader, {
    id_project: NO_PROJECT,
    kind: isPublic ? 'public' : 'account',
    path: isFixed ? (name) => `${root}/${name}` : keyOf,
    key: keyOf,
    allowed: { list: extensions },
    withThumbnail: folder === 'images',
    ...((expires || isPublic) && { expiresAt: secondsFromNow(config.CHAT_FILE_EXPIRATION_TIME) }),
    failureText,
  });
};
