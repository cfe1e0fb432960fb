/** Checks who may remove a file, and who may change the avatar of a bot. */
import { AppError } from '../../errors.ts';
import { Bot } from '../../models/bot.ts';
import { PROJECT_ACTIVE, Project } from '../../models/project.ts';
import { ACTIVE_MEMBER, ProjectUser } from '../../models/project-user.ts';
import { NO_PROJECT } from '../../models/stored-file.ts';
import { roleRank } from '../../wire/roles.ts';
import { isId } from '../../wire/view.ts';
import type { FoundFile } from './read-file.ts';
import { type AvatarOwner, ownerId, type Uploader } from './upload-file.ts';

/** Returns the role of an account in an active project; undefined if it is not a member. */
const roleIn = async (id_project: string, { kind, id }: Uploader): Promise<string | undefined> => {
  if (kind !== 'user' || !isId(id_project)) return undefined;
  const [member, isActive] = await Promise.all([
    ProjectUser.findOne({ id_project, id_user: id, ...ACTIVE_MEMBER }, { role: 1 }).lean(),
    Project.exists({ _id: id_project, status: PROJECT_ACTIVE }),
  ]);
  return isActive ? member?.role : undefined;
};

/**
 * Throws 403 unless the caller may remove the file. For a file of a project, the caller must be a teammate of that
 * project (for assets and bot avatars, an admin or owner). Other files can be removed only by the person who uploaded
 * them; public files, which were uploaded without credentials, cannot be removed.
 */
export const assertMayRemove = async (file: FoundFile, caller: Uploader): Promise<void> => {
  const { id_project, kind, createdBy } = file;
  if (id_project === NO_PROJECT) {
    if (kind !== 'public' && createdBy === ownerId(caller)) return;
    throw new AppError(403, 'NOT_OWNER', 'Only the owner of a file can delete it');
  }
  const role = await roleIn(id_project, caller);
  // Deployed clients rely on these two texts.
  if (role === undefined) throw new AppError(403, 'NOT_MEMBER', 'you dont belong to the project.');
  if (roleRank(role) < roleRank(kind === 'chat' ? 'agent' : 'admin'))
    throw new AppError(403, 'ROLE_TOO_LOW', 'you dont have the required role.');
};

/**
 * Returns the owner of the avatar that a call changes: the bot `bot_id`, or the caller. Errors: 404 for an unknown bot,
 * 401 for a caller outside the bot's project, 403 for a teammate who is not an admin or owner.
 */
export const avatarOwner = async (caller: Uploader, bot_id?: string): Promise<AvatarOwner> => {
  const isPerson = !['bot', 'subscription'].includes(caller.kind);
  if (bot_id === undefined && isPerson) return { id: ownerId(caller) };
  const id = bot_id ?? caller.id;
  const options = { anyProject: true }; // the caller's membership in the bot's project is checked below
  const bot = isId(id) ? await Bot.findOne({ _id: id, trashed: false }, { id_project: 1 }, options).lean() : null;
  if (!bot) throw new AppError(404, 'NOT_FOUND', 'Chatbot not found');
  const { id_project } = bot;
  if (caller.kind === 'bot' && caller.id === id) return { id, id_project };
  const role = await roleIn(id_project, caller);
  if (role === undefined) throw new AppError(401, 'NOT_BOT_TEAM', "You don't belong to the chatbot's project");
  if (roleRank(role) < roleRank('admin'))
    throw new AppError(403, 'BOT_ADMINS_ONLY', "You don't have the role required to modify the chatbot");
  return { id, id_project };
};
