/** Groups of teammates (contract b 7). */
import type { UpdateQuery } from 'mongoose';
import type { z } from 'zod';
import { newId } from '../../context.ts';
import { emits } from '../../emits.ts';
import { AppError, notFound } from '../../errors.ts';
import { Department } from '../../models/department.ts';
import { Group, GroupView } from '../../models/group.ts';
import { Outbox } from '../../models/outbox.ts';
import { ProjectUser, TEAM } from '../../models/project-user.ts';
import { inTransaction, makeOnce } from '../../mongo.ts';
import { countOf, readMany, readOne } from '../../read.ts';
import { fieldsOf, isId } from '../../view.ts';

const FIELDS = fieldsOf(GroupView);

type Shown = z.input<typeof GroupView>;

/** Which group of which project. */
interface Which {
  id_project: string;
  _id: string;
}

/** The project's groups by name; those of one member, if it is named. */
export const list = async (id_project: string, member?: string): Promise<Shown[]> => {
  const filter = { id_project, trashed: false, ...(member ? { members: member } : {}) };
  return readMany(Group, filter, { fields: FIELDS, sort: { name: 1, _id: 1 } }) as Promise<Shown[]>;
};

const missing = () => notFound('Group not found');

/** One group, trashed or not. */
export const read = async ({ id_project, _id }: Which): Promise<Shown> => {
  const group = isId(_id) ? await readOne(Group, { id_project, _id }, FIELDS) : null;
  if (!group) throw missing();
  return group as Shown;
};

const checkMembers = async (id_project: string, members: string[]): Promise<void> => {
  const team = { id_project, id_user: { $in: members }, roleType: TEAM, trashed: false };
  if ((await countOf(ProjectUser, team)) < members.length)
    throw new AppError(422, 'INVALID', 'members: not all are teammates of the project');
};

/** Make a group of teammates, named by their user ids; 422 for who is none. */
export const create = async (
  id_project: string,
  { name, members }: { name: string; members: string[] },
  by: string,
): Promise<Shown> => {
  const ids = [...new Set(members)];
  await checkMembers(id_project, ids);
  const _id = newId();
  const group = { _id, id_project, name, members: ids, createdBy: by };
  await makeOnce(() => Group.create([group], emits('group.create')));
  return read({ id_project, _id });
};

/** 403 for a group that serves a department: that would have nobody of it, or everybody, without anybody having said so. */
const refuseUsed = async ({ id_project, _id }: Which): Promise<void> => {
  const using = { id_project, $or: [{ id_group: _id }, { 'groups.id_group': _id }] };
  const department = await readOne(Department, using, { name: 1 });
  if (department) throw new AppError(403, 'GROUP_IN_USE', `The group serves the department ${department.name}`);
};

const change = async (which: Which, update: UpdateQuery<unknown>): Promise<Shown> => {
  if (!isId(which._id)) throw missing();
  const options = { ...emits('group.update'), returnDocument: 'after', projection: FIELDS } as const;
  return Group.findOneAndUpdate({ ...which }, update, options)
    .orFail(missing)
    .lean<Shown>();
};

/** What may be changed of a group; what is absent stays. */
export interface Change {
  name?: string;
  members?: string[];
  trashed?: boolean;
  attributes?: Record<string, unknown>;
}

/** Change a group; it is not put into the trash while it serves a department (403). */
export const update = async (which: Which, { members, ...rest }: Change): Promise<Shown> => {
  const group = await read(which);
  const ids = members && [...new Set(members)];
  if (ids) await checkMembers(which.id_project, ids);
  if (rest.trashed) await refuseUsed(which);
  const set = { ...rest, ...(ids ? { members: ids } : {}) };
  return Object.keys(set).length ? change(which, { $set: set }) : group;
};

/** Have a group serve again. */
export const enable = (which: Which): Promise<Shown> => change(which, { $set: { enabled: true } });

/** Have a group serve no more; 403 while it serves a department. */
export const disable = async (which: Which): Promise<Shown> => {
  await read(which);
  await refuseUsed(which);
  return change(which, { $set: { enabled: false } });
};

/** Put a group out of sight; 403 while it serves a department. */
export const trash = async (which: Which): Promise<Shown> => {
  await read(which);
  await refuseUsed(which);
  return change(which, { $set: { enabled: false, trashed: true } });
};

/** Remove a group for good; 403 while it serves a department. */
export const remove = async (which: Which): Promise<Shown> => {
  await read(which);
  await refuseUsed(which);
  return inTransaction(async (session) => {
    const options = { session, projection: FIELDS };
    const group = await Group.findOneAndDelete({ ...which }, options)
      .orFail(missing)
      .lean<Shown>();
    const told = { id_project: which.id_project, record: which._id, shown: group };
    await Outbox.create([told], { session, ...emits('group.delete') });
    return group;
  });
};
