/** Teammates who follow a conversation without taking part (contract b 1.13), by the ids of their memberships. */
import { AppError } from '../../errors.ts';
import { ProjectUser, TEAM } from '../../models/project-user.ts';
import { countOf } from '../../read.ts';
import { isId } from '../../view.ts';
import { type Change, type Conversation, change } from './requests.ts';

const areTeam = async (id_project: string, ids: string[]): Promise<boolean> => {
  const team = { id_project, _id: { $in: ids.filter(isId) }, roleType: TEAM, trashed: false };
  return (await countOf(ProjectUser, team)) === ids.length;
};

const refuse = (): never => {
  throw new AppError(422, 'INVALID', 'followers: not all are memberships of teammates of the project');
};

/** 422 where one is no teammate's membership. */
export const checkTeam = async (id_project: string, ids: string[]): Promise<void> => {
  if (!(await areTeam(id_project, [...new Set(ids)]))) refuse();
};

type Telling = Change['tells'][number];
type Comment = 'FOLLOWER_ADD' | 'FOLLOWERS_SET' | 'FOLLOWER_REMOVE';

/** From those who follow to those who shall; nothing where they are the same. */
const following = (comment: Comment, before: string[], followers: string[]): Change | null => {
  const come = followers.filter((id) => !before.includes(id));
  const gone = before.filter((id) => !followers.includes(id));
  if (!come.length && !gone.length) return null;
  return {
    set: { followers },
    tells: [
      'request.update',
      ['request.updated', { comment, patch: { followers } }],
      ...come.map((member): Telling => ['request.followers.join', { member }]),
      ...gone.map((member): Telling => ['request.followers.leave', { member }]),
    ],
  };
};

/** Let one more follow; 422 for who is no teammate. */
export const add = async (where: Conversation, member: string) => {
  const isTeam = await areTeam(where.id_project, [member]);
  return change(where, ({ followers }) =>
    isTeam ? following('FOLLOWER_ADD', followers, [...new Set([...followers, member])]) : refuse(),
  );
};

/** Put these in the place of all who follow; 422 where one is no teammate. */
export const set = async (where: Conversation, members: string[]) => {
  const ids = [...new Set(members)];
  const isTeam = await areTeam(where.id_project, ids);
  return change(where, ({ followers }) => (isTeam ? following('FOLLOWERS_SET', followers, ids) : refuse()));
};

/** Let somebody follow no longer. */
export const remove = (where: Conversation, member: string) =>
  change(where, ({ followers }) =>
    following(
      'FOLLOWER_REMOVE',
      followers,
      followers.filter((id) => id !== member),
    ),
  );
