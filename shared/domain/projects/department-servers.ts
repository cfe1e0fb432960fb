/** Who serves a department (contract a 8.4). */
import { AppError, notFound } from '../../errors.ts';
import { Department } from '../../models/department.ts';
import { Group } from '../../models/group.ts';
import { readMany, readOne } from '../../read.ts';
import { isId } from '../../view.ts';

const find = async (id_project: string, _id: string) => {
  const fields = { groups: 1, id_group: 1 } as const;
  const department = isId(_id) ? await readOne(Department, { id_project, _id }, fields) : null;
  if (!department) throw notFound('Department not found');
  return department;
};

/** Ids of the accounts that serve a department; null where everybody does. Errors: 404 for an unknown department or group, 403 when its groups are disabled. */
export const serversOf = async (id_project: string, department: string): Promise<string[] | null> => {
  const { groups, id_group } = await find(id_project, department);
  const named = groups?.length ? groups.map((share) => share.id_group) : [id_group ?? ''];
  const ids = named.filter(isId);
  if (!ids.length) return null;
  const filter = { id_project, _id: { $in: ids }, trashed: false };
  const found = await readMany(Group, filter, { fields: { members: 1, enabled: 1 } });
  if (!found.length) throw notFound('Group not found');
  const enabled = found.filter((group) => group.enabled);
  if (!enabled.length) throw new AppError(403, 'GROUP_DISABLED', 'The groups of this department are disabled');
  return [...new Set(enabled.flatMap(({ members }) => members.filter(isId)))];
};
