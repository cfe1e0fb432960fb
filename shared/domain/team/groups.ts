/** Groups of teammates (contract b 7). */
import { newId } from '../../context.ts';
import { emits } from '../../emits.ts';
import { AppError, notFound } from '../../errors.ts';
import { Group, GroupView } from '../../models/group.ts';
import { ProjectUser, TEAM } from '../../models/project-user.ts';
import { makeOnce } from '../../mongo.ts';
import { fieldsOf, isId } from '../../view.ts';

const FIELDS = fieldsOf(GroupView);

/** The project's groups by name; those of one member, if it is named. */
export const list = (id_project: string, member?: string) =>
  Group.find({ id_project, trashed: false, ...(member ? { members: member } : {}) }, FIELDS)
    .sort({ name: 1, _id: 1 })
    .lean();

const missing = () => notFound('Group not found');

/** One group, trashed or not. */
export const read = async (id_project: string, _id: string) => {
  if (!isId(_id)) throw missing();
  return Group.findOne({ id_project, _id }, FIELDS).orFail(missing).lean();
};

const checkMembers = async (id_project: string, members: string[]): Promise<void> => {
  const team = { id_project, id_user: { $in: members }, roleType: TEAM, trashed: false };
  if ((await ProjectUser.countDocuments(team)) < members.length)
    throw new AppError(422, 'INVALID', 'members: not all are teammates of the project');
};

/** Make a group of teammates, named by their user ids; 422 for who is none. */
export const create = async (
  id_project: string,
  { name, members }: { name: string; members: string[] },
  by: string,
) => {
  const ids = [...new Set(members)];
  await checkMembers(id_project, ids);
  const _id = newId();
  const group = { _id, id_project, name, members: ids, createdBy: by };
  await makeOnce(() => Group.create([group], emits('group.create')));
  return read(id_project, _id);
};
