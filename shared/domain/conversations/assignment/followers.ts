/** Followers of a conversation: teammates (by membership id) who receive notifications without being participants. */
import { countRecords } from '../../../database/raw-read.ts';
import { AppError } from '../../../errors.ts';
import { ProjectUser, TEAM_ROLE_TYPE } from '../../../models/project-user.ts';
import { isId } from '../../../wire/view.ts';
import { type ConversationKey, type ConversationUpdate, updateConversation } from '../conversation.ts';

const areTeammates = async (id_project: string, ids: string[]): Promise<boolean> => {
  const team = { id_project, _id: { $in: ids.filter(isId) }, roleType: TEAM_ROLE_TYPE, trashed: false };
  return (await countRecords(ProjectUser, team)) === ids.length;
};

const throwInvalidFollowers = (): never => {
  throw new AppError(422, 'INVALID', 'followers: every id must be the membership id of a teammate of this project');
};

/** Throws 422 unless every id is the membership id of a teammate of the project. */
export const assertTeammates = async (id_project: string, ids: string[]): Promise<void> => {
  if (!(await areTeammates(id_project, [...new Set(ids)]))) throwInvalidFollowers();
};

type FollowerEvent = ConversationUpdate['events'][number];
type FollowerComment = 'FOLLOWER_ADD' | 'FOLLOWERS_SET' | 'FOLLOWER_REMOVE';

/** Returns the update that sets the followers, or null if they do not change. */
const followersUpdate = (
  comment: FollowerComment,
  before: string[],
  followers: string[],
): ConversationUpdate | null => {
  const added = followers.filter((id) => !before.includes(id));
  const removed = before.filter((id) => !followers.includes(id));
  if (!added.length && !removed.length) return null;
  return {
    set: { followers },
    events: [
      'request.update',
      ['request.updated', { comment, patch: { followers } }],
      ...added.map((member): FollowerEvent => ['request.followers.join', { member }]),
      ...removed.map((member): FollowerEvent => ['request.followers.leave', { member }]),
    ],
  };
};

/** Adds a follower. Errors: 404 for an unknown conversation, 422 if the id is not a teammate's membership id. */
export const add = async (key: ConversationKey, member: string) => {
  const isTeam = await areTeammates(key.id_project, [member]);
  return updateConversation(key, ({ followers }) =>
    isTeam ? followersUpdate('FOLLOWER_ADD', followers, [...new Set([...followers, member])]) : throwInvalidFollowers(),
  );
};

/** Replaces the followers. Errors: 404 for an unknown conversation, 422 if an id is not a teammate's membership id. */
export const set = async (key: ConversationKey, members: string[]) => {
  const ids = [...new Set(members)];
  const isTeam = await areTeammates(key.id_project, ids);
  return updateConversation(key, ({ followers }) =>
    isTeam ? followersUpdate('FOLLOWERS_SET', followers, ids) : throwInvalidFollowers(),
  );
};

/** Removes a follower. Removing an absent follower changes nothing. Errors: 404 for an unknown conversation. */
export const remove = (key: ConversationKey, member: string) =>
  updateConversation(key, ({ followers }) =>
    followersUpdate(
      'FOLLOWER_REMOVE',
      followers,
      followers.filter((id) => id !== member),
    ),
  );
