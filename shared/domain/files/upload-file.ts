/** Checks uploads and stores them under the path of their kind. */
import { hash } from 'node:crypto';
import { config } from '../../config.ts';
import { newUuid } from '../../context.ts';
import { Project } from '../../models/project.ts';
import { NO_PROJECT } from '../../models/stored-file.ts';
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

/** A received file. */
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

/** The paths of a stored file and of its thumbnail, if it gets one. */
export interface UploadResult {
  path: string;
  thumbnail?: string;
}

/**
 * The owner of files that belong to no project. Projects choose the ids of their own users, so these are qualified by
 * the project.
 */
export const ownerId = ({ kind, id, project }: Uploader): string => (kind === 'userexternal' ? `${project}:${id}` : id);

/** Returns an id as a segment of a path: itself, or its hash if it has characters that a path must not have. */
const segmentOf = (id: string): string => (/^[\w-]{1,64}$/.test(id) ? id : hash('sha256', id).slice(0, 32));

const VISITOR_KINDS = ['guest', 'userexternal', 'anonymous'];

const secondsFromNow = (seconds: number): Date => new Date(Date.now() + seconds * 1000);

/** Where and how a checked file is stored. */
interface Placement extends Pick<NewFile, 'id_project' | 'kind' | 'expiresAt'> {
  path(name: string): string;
  key?(name: string): string;
  allowed: AllowedExtensions;
  withThumbnail: boolean;
  failureText: string;
}

/**
 * Checks and stores a file. Errors: 400 for an invalid name, 403 for an extension, declared type or content that is not
 * allowed or above the quota, 429 above the daily budget of visitors, 507 if the disk is full, 500 if the storage is
 * unavailable.
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

/** Returns a function that names the file of one upload; path and key agree. */
const inFolder = (folder: string) => {
  const folderOfUpload = `${folder}/${newUuid()}`;
  return (name: string) => `${folderOfUpload}/${name}`;
};

/** The extensions that a project allows in its chats: those of teammates and of visitors may differ. */
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

/** Stores a file of a chat; it expires after CHAT_FILE_EXPIRATION_TIME. Errors: see `upload`. */
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

/** Stores an asset; it expires after `expiration` seconds if that is above 0. Errors: see `upload`. */
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

/** The path of an avatar, whatever the type of its image. */
export const avatarPath = (id: string): string => `uploads/users/${segmentOf(id)}/images/photo.jpg`;

/** Stores an avatar, which replaces the former one. Errors: see `upload`. */
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
    allowed: { list: IMAGE_EXTENSIONS, suffix: ' for avatar' },
    withThumbnail: true,
    failureText: 'Error uploading user image.',
  });
};

/** How legacy clients upload a file that belongs to no project. */
export interface LegacyUpload {
  /** `files` or `images`. */
  folder: 'files' | 'images';
  extensions: string[];
  /** The path depends on the name only, without a folder of its own; the endpoint refuses a path that exists. */
  isFixed?: boolean;
  expires?: boolean;
  failureText: string;
}

/** The folder of the files of a caller that belong to no project. */
export const legacyFolder = (uploader: Uploader, folder: LegacyUpload['folder']): string =>
  `uploads/${uploader.kind === 'anonymous' ? 'public' : `users/${segmentOf(ownerId(uploader))}`}/${folder}`;

/** Stores a file of an account, or of no owner if the caller has no credentials. Errors: see `upload`. */
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
