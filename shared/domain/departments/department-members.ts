/**
 * The users who serve a department through its groups. Deleted and disabled groups are handled in two ways. The list of
 * available agents reports an error if a department has only such groups. Routing ignores such groups, because every
 * conversation must be routed.
 */
import { readMany, readOne } from '../../database/raw-read.ts';
import { AppError, notFound } from '../../errors.ts';
import { Department } from '../../models/department.ts';
import { Group } from '../../models/group.ts';
import { isId } from '../../wire/view.ts';

const findDepartment = async (id_project: string, _id: string) => {
  const fields = { groups: 1, id_group: 1 } as const;
  const department = isId(_id) ? await readOne(Department, { id_project, _id }, fields) : null;
  if (!department) throw notFound('Department not found');
  return department;
};

/**
 * Returns, for the list of available agents, the ids of the users who serve a department; null if the department names
 * no groups, so that all agents serve it.
 * Errors: 404 if the department is unknown or none of its groups exists, 403 if all of them are disabled.
 */
export const findDepartmentMemberIds = async (id_project: string, department: string): Promise<string[] | null> => {
  const { groups, id_group } = await findDepartment(id_project, department);
  const groupIds = groups?.length ? groups.map((share) => share.id_group) : [id_group ?? ''];
  const ids = groupIds.filter(isId);
  if (!ids.length) return null;
  const filter = { id_project, _id: { $in: ids }, trashed: false };
  const found = await readMany(Group, filter, { fields: { members: 1, enabled: 1 } });
  if (!found.length) throw notFound('Group not found');
  const enabled = found.filter((group) => group.enabled);
  if (!enabled.length) throw new AppError(403, 'GROUP_DISABLED', 'The groups of this department are disabled');
  return [...new Set(enabled.flatMap(({ members }) => members.filter(isId)))];
};

/** The groups that a department names: in `groups` with their shares of its conversations, or one in `id_group`. */
interface GroupReferences {
  id_project: string;
  groups?: { id_group: string; percentage?: number | null }[] | null;
  id_group?: string | null;
}

/** A group that serves a department, with the user ids of its members. */
export interface DepartmentGroup {
  id_group: string;
  percentage?: number | null;
  members: string[];
}

/**
 * Returns, for routing, the groups that serve a department, excluding those that are disabled, trashed or deleted. If
 * the list is empty, all agents serve the department.
 */
export const findEnabledGroups = async ({
  id_project,
  groups,
  id_group,
}: GroupReferences): Promise<DepartmentGroup[]> => {
  const ids = [...(groups ?? []).map((share) => share.id_group), id_group ?? ''].filter(isId);
  if (!ids.length) return [];
  const enabled = { id_project, _id: { $in: ids }, enabled: true, trashed: false };
  const found = await readMany(Group, enabled, { fields: { _id: 1, members: 1 } });
  const members = new Map(found.map((group) => [String(group._id), group.members]));
  const enabledShares = (groups ?? []).filter((share) => members.has(share.id_group));
  const shares =
    enabledShares.length || !id_group || !members.has(id_group) ? enabledShares : [{ id_group, percentage: undefined }];
  return shares.map((share) => ({ ...share, members: members.get(share.id_group) ?? [] }));
};
