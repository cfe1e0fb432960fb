/** Departments as they are shown: all of one to the team, to others what a visitor may see (decision 7, contract b 6). */
import type { Types } from 'mongoose';
import type { z } from 'zod';
import { AppError, notFound } from '../../errors.ts';
import { Department, DepartmentView, type PublicDepartmentView } from '../../models/department.ts';
import { ACTIVE, Project } from '../../models/project.ts';
import { readMany, readOne } from '../../read.ts';
import { fieldsOf, isId } from '../../view.ts';
import { publicList } from '../projects/public-departments.ts';
import { isLapsed } from '../projects/projects.ts';

/** A department as the team sees it. */
export type Whole = z.input<typeof DepartmentView>;
type Public = z.input<typeof PublicDepartmentView>;

/** A department as it is stored; a group's share has one name there. */
type Stored = Omit<Whole, 'id' | 'hasBot' | 'groups'> & {
  groups?: { id_group: string; percentage?: number | null }[] | null;
};

/** What showing all of a department reads. */
export const FIELDS = fieldsOf(DepartmentView);

const VISIBLE = 1;
const HIDDEN = 0;

/** A department as the team sees it. */
export const show = ({ groups, ...department }: Stored): Whole => ({
  ...department,
  id: department._id,
  hasBot: Boolean(department.id_bot),
  groups: groups?.map((share) => ({ ...share, group_id: share.id_group })),
});

/** How a list is wanted: whole for the team, by name or as they were made. */
interface Wanted {
  whole: boolean;
  byName?: boolean;
}

const find = async (filter: { id_project: string }, { whole, byName }: Wanted): Promise<(Whole | Public)[]> => {
  const sort = { ...(byName && { name: 1 as const }), _id: 1 as const };
  if (whole) return ((await readMany(Department, filter, { fields: FIELDS, sort })) as unknown as Stored[]).map(show);
  return publicList(filter, sort);
};

/** What a project's plan leaves of its departments; 400 for a project that is not in use (contract b 0.1, 6.1). */
const withinPlan = async (id: string): Promise<{ default?: true }> => {
  const fields = { createdAt: 1, profile: 1 } as const;
  const project = isId(id) ? await readOne(Project, { _id: id, status: ACTIVE }, fields) : null;
  if (!project) throw new AppError(400, 'NO_PROJECT', `Project ${id} not found`);
  return isLapsed(Date.now(), project as Parameters<typeof isLapsed>[1]) ? { default: true } : {};
};

/** The departments to which visitors can turn. */
export const list = async (id_project: string, wanted: Wanted): Promise<(Whole | Public)[]> =>
  find({ id_project, ...(await withinPlan(id_project)), status: VISIBLE } as { id_project: string }, wanted);

/** The departments with which teammates work, those that visitors do not see too. */
export const listAll = async (id_project: string, byName = false): Promise<Whole[]> => {
  const filter = { id_project, ...(await withinPlan(id_project)), status: { $gte: HIDDEN } };
  return (await find(filter, { whole: true, byName })) as Whole[];
};

/** 404 for a department that the project does not have. */
export const missing = () => notFound('Department not found');

/** One department by its id, `default` being the project's default one; 404 for another project's. */
export const read = async (id_project: string, id: string, wanted: Wanted): Promise<Whole | Public> => {
  const which = id === 'default' ? { default: true } : { _id: id };
  if (id !== 'default' && !isId(id)) throw missing();
  const [department] = await find({ id_project, ...which }, wanted);
  if (!department) throw missing();
  return department;
};

/** Those of the departments that are there, for whoever is told of them. */
export const shownOf = async (keys: (Types.ObjectId | string)[]): Promise<{ key: string; shown: object }[]> => {
  const options = { anyProject: true }; // the relay's: it knows by the record whose it is
  const found = await Department.find({ _id: { $in: keys } }, FIELDS, options).lean<Stored[]>();
  return found.map((department) => ({ key: String(department._id), shown: show(department) }));
};
