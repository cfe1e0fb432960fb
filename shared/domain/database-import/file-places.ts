/** Where imported files belong: the owner and the kind that follow from the path of a file. */
import { Bot } from '../../models/bot.ts';
import { NO_PROJECT } from '../../models/stored-file.ts';
import { isId } from '../../wire/view.ts';
import { projectPrefix } from '../files/file-names.ts';

/** The owner and kind of a file, and its key in the storage. */
export interface FilePlace {
  id_project: string;
  kind: 'asset' | 'chat' | 'avatar' | 'account' | 'public';
  key: string;
  createdBy: string;
}

const PROJECT_FILE = /^uploads\/projects\/([0-9a-f]{24})\//;
const AVATAR = /^uploads\/users\/([^/]+)\/images\/photo\.jpg$/;
const ACCOUNT_FILE = /^uploads\/users\/([^/]+)\//;
const PUBLIC_FILE = /^uploads\/public\//;

/** The author of files whose uploader is unknown. */
const SYSTEM = 'system';

const avatarPlace = async (owner: string, id: string): Promise<FilePlace> => {
  const bot = isId(owner) ? await Bot.findOne({ _id: owner }, { id_project: 1 }, { anyProject: true }).lean() : null;
  const id_project = bot?.id_project ?? NO_PROJECT;
  const folder = bot ? `${projectPrefix(bot.id_project)}avatars/${owner}` : `uploads/users/${owner}/images`;
  return { id_project, kind: 'avatar', key: `${folder}/${id}/photo.jpg`, createdBy: owner };
};

/**
 * Returns where a file belongs; null for a path that no file can have. A file of a project is a chat file if it
 * expires, otherwise an asset.
 */
export const placeFile = async (
  path: string,
  { id, expires }: { id: string; expires: boolean },
): Promise<FilePlace | null> => {
  const [, project] = PROJECT_FILE.exec(path) ?? [];
  if (project) return { id_project: project, kind: expires ? 'chat' : 'asset', key: path, createdBy: SYSTEM };
  const [, owner] = AVATAR.exec(path) ?? [];
  if (owner) return avatarPlace(owner, id);
  const [, account] = ACCOUNT_FILE.exec(path) ?? [];
  if (account) return { id_project: NO_PROJECT, kind: 'account', key: path, createdBy: account };
  return PUBLIC_FILE.test(path) ? { id_project: NO_PROJECT, kind: 'public', key: path, createdBy: SYSTEM } : null;
};
