/** Groups of teammates, which can serve departments. */
import type { UpdateQuery } from 'mongoose';
import type { z } from 'zod';
import { newId } from '../../context.ts';
import { inTransaction } from '../../database/connection.ts';
import { insertIfAbsent } from '../../database/unique-keys.ts';
import { emits } from '../../events.ts';
import { countRecords, readMany, readOne } from '../../database/raw-read.ts';
import { AppError, notFound } from '../../errors.ts';
import { Department } from '../../models/department.ts';
import { Group, GroupView } from '../../models/group.ts';
import { Outbox } from '../../models/outbox.ts';
import { ProjectUser, TEAM_ROLE_TYPE } from '../../models/project-user.ts';
import { isId, projectionOf } from '../../wire/view.ts';

const GROUP_FIELDS = projectionOf(GroupView);

type GroupDetail = z.input<typeof GroupView>;

/** Identifies a group. */
interface GroupKey {
  id_project: string;
  _id: string;
}

/** Lists the project's groups, sorted by name; with `member`, a user id, only the groups of that user. */
export const list = async (id_project: string, member?: string): Promise<GroupDetail[]> => {
  const filter = { id_project, trashed: false, ...(member ? { members: member } : {}) };
  return readMany(Group, filter, { fields: GROUP_FIELDS, sort: { name: 1, _id: 1 } }) as Promise<GroupDetail[]>;
};

const groupNotFound = () => notFound('Group not found');

/** Reads a group, even a trashed one. Errors: 404 for an unknown group. */
export const read = async ({ id_project, _id }: GroupKey): Promise<GroupDetail> => {
  const group = isId(_id) ? await readOne(Group, { id_project, _id }, GROUP_FIELDS) : null;
  if (!group) throw groupNotFound();
  return group as GroupDetail;
};

const assertMembers = async (id_project: string, members: string[]): Promise<void> => {
  const team = { id_project, id_user: { $in: members }, roleType: TEAM_ROLE_TYPE, trashed: false };
  if ((await countRecords(ProjectUser, team)) < members.length)
    throw new AppError(422, 'INVALID', 'members: some of these users are not teammates of this project');
};

/** Creates a group; `members` are user ids. Errors: 422 for a user who is not a teammate. */
export const create = async (
  id_project: string,
  { name, members }: { name: string; members: string[] },
  createdBy: string,
): Promise<GroupDetail> => {
  const ids = [...new Set(members)];
  await assertMembers(id_project, ids);
  const _id = newId();
  const group = { _id, id_project, name, members: ids, createdBy };
  await insertIfAbsent(() => Group.create([group], emits('group.create')));
  return read({ id_project, _id });
};

/**
 * Throws 403 if the group serves a department. Without its group, the department would be served by no agents, or by
 * all agents of the project.
 */
const assertUnused = async ({ id_project, _id }: GroupKey): Promise<void> => {
  const usage = { id_project, $or: [{ id_group: _id }, { 'groups.id_group': _id }] };
  const department = await readOne(Department, usage, { name: 1 });
  if (!department) return;
  throw new AppError(403, 'GROUP_IN_USE', `The group serves the department ${department.name}; remove it there first`);
};

const updateGroup = async (key: GroupKey, update: UpdateQuery<unknown>): Promise<GroupDetail> => {
  if (!isId(key._id)) throw groupNotFound();
  const options = { ...emits('group.update'), returnDocument: 'after', projection: GROUP_FIELDS } as const;
  return Group.findOneAndUpdate({ ...key }, update, options)
    .orFail(groupNotFound)
    .lean<GroupDetail>();
};

/** The fields of a group to update; absent fields are unchanged. */
export interface GroupUpdate {
  name?: string;
  members?: string[];
  trashed?: boolean;
  attributes?: Record<string, unknown>;
}

/**
 * Updates a group.
 * Errors: 403 for trashing a group that serves a department, 404 for an unknown group, 422 for a user who is not a
 * teammate.
 */
export const update = async (key: GroupKey, { members, ...rest }: GroupUpdate): Promise<GroupDetail> => {
  const group = await read(key);
  const ids = members && [...new Set(members)];
  if (ids) await assertMembers(key.id_project, ids);
  if (rest.trashed) await assertUnused(key);
  const set = { ...rest, ...(ids ? { members: ids } : {}) };
  return Object.keys(set).length ? updateGroup(key, { $set: set }) : group;
};

/** Enables a group. Errors: 404 for an unknown group. */
export const enable = (key: GroupKey): Promise<GroupDetail> => updateGroup(key, { $set: { enabled: true } });

/** Disables a group. Errors: 403 if it serves a department, 404 for an unknown group. */
export const disable = async (key: GroupKey): Promise<GroupDetail> => {
  await read(key);
  await assertUnused(key);
  return updateGroup(key, { $set: { enabled: false } });
};

/** Trashes a group. Errors: 403 if it serves a department, 404 for an unknown group. */
export const trash = async (key: GroupKey): Promise<GroupDetail> => {
  await read(key);
  await assertUnused(key);
  return updateGroup(key, { $set: { enabled: false, trashed: true } });
};

/** Deletes a group permanently. Errors: 403 if it serves a department, 404 for an unknown group. */
export const remove = async (key: GroupKey): Promise<GroupDetail> => {
  await read(key);
  await assertUnused(key);
  return inTransaction(async (session) => {
    const options = { session, projection: GROUP_FIELDS };
    const group = await Group.findOneAndDelete({ ...key }, options)
      .orFail(groupNotFound)
      .lean<GroupDetail>();
    const deleted = { id_project: key.id_project, record: key._id, view: group };
    await Outbox.create([deleted], { session, ...emits('group.delete') });
    return group;
  });
};
