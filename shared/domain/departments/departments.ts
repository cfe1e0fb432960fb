/** Reads departments: all fields for teammates, and only the public ones for other callers. */
import type { Types } from 'mongoose';
import type { z } from 'zod';
import { readMany, readOne } from '../../database/raw-read.ts';
import { AppError, notFound } from '../../errors.ts';
import { Department, DepartmentView, type PublicDepartmentView } from '../../models/department.ts';
import { PROJECT_ACTIVE, Project } from '../../models/project.ts';
import { currentTimeMs } from '../../time/clock.ts';
import { isId, projectionOf } from '../../wire/view.ts';
import { isPlanLapsed } from '../projects/projects.ts';
import { listPublicDepartments } from './public-departments.ts';

/** A department as teammates see it. */
export type DepartmentDetail = z.input<typeof DepartmentView>;
type PublicDepartment = z.input<typeof PublicDepartmentView>;

/** A stored department. Each of its `groups` is identified by `id_group`, which the API also shows as `group_id`. */
type StoredDepartment = Omit<DepartmentDetail, 'id' | 'hasBot' | 'groups'> & {
  groups?: { id_group: string; percentage?: number | null }[] | null;
};

/** The projection of `DepartmentDetail`. */
export const DEPARTMENT_FIELDS = projectionOf(DepartmentView);

const VISIBLE_STATUS = 1;
const HIDDEN_STATUS = 0;

/** Converts a stored department to the form that teammates see. */
export const detailView = ({ groups, ...department }: StoredDepartment): DepartmentDetail => ({
  ...department,
  id: department._id,
  hasBot: Boolean(department.id_bot),
  groups: groups?.map((share) => ({ ...share, group_id: share.id_group })),
});

/** Options for reading departments. */
interface DepartmentQuery {
  /** Whether to read all fields, for teammates. */
  detailed: boolean;
  /** Whether to sort by name instead of by creation time. */
  byName?: boolean;
}

const findDepartments = async (
  filter: { id_project: string },
  { detailed, byName }: DepartmentQuery,
): Promise<(DepartmentDetail | PublicDepartment)[]> => {
  const sort = { ...(byName && { name: 1 as const }), _id: 1 as const };
  if (detailed)
    return (
      (await readMany(Department, filter, { fields: DEPARTMENT_FIELDS, sort })) as unknown as StoredDepartment[]
    ).map(detailView);
  return listPublicDepartments(filter, sort);
};

/**
 * Returns the filter for the departments that the project's plan allows: only the default one if the plan has lapsed.
 * Errors: 400 for an unknown or disabled project.
 */
const planFilter = async (id: string): Promise<{ default?: true }> => {
  const fields = { createdAt: 1, profile: 1 } as const;
  const project = isId(id) ? await readOne(Project, { _id: id, status: PROJECT_ACTIVE }, fields) : null;
  if (!project) throw new AppError(400, 'PROJECT_NOT_FOUND', `Project ${id} not found`);
  return isPlanLapsed(currentTimeMs(), project as Parameters<typeof isPlanLapsed>[1]) ? { default: true } : {};
};

/**
 * Lists the departments that the plan allows and visitors can choose. Errors: 400 for an unknown or disabled project.
 */
export const list = async (
  id_project: string,
  query: DepartmentQuery,
): Promise<(DepartmentDetail | PublicDepartment)[]> =>
  findDepartments(
    { id_project, ...(await planFilter(id_project)), status: VISIBLE_STATUS } as { id_project: string },
    query,
  );

/**
 * Lists the departments that the plan allows and teammates can see, including those hidden from visitors. Errors: 400
 * for an unknown or disabled project.
 */
export const listAll = async (id_project: string, byName = false): Promise<DepartmentDetail[]> => {
  const filter = { id_project, ...(await planFilter(id_project)), status: { $gte: HIDDEN_STATUS } };
  return (await findDepartments(filter, { detailed: true, byName })) as DepartmentDetail[];
};

/** Builds the 404 for an unknown department. */
export const departmentNotFound = () => notFound('Department not found');

/** Reads a department; the id `default` means the default department. Errors: 404 for an unknown department. */
export const read = async (
  id_project: string,
  id: string,
  query: DepartmentQuery,
): Promise<DepartmentDetail | PublicDepartment> => {
  const filter = id === 'default' ? { default: true } : { _id: id };
  if (id !== 'default' && !isId(id)) throw departmentNotFound();
  const [department] = await findDepartments({ id_project, ...filter }, query);
  if (!department) throw departmentNotFound();
  return department;
};

/** Reads the departments that still exist, in the form that events carry. */
export const readForEvents = async (keys: (Types.ObjectId | string)[]): Promise<{ key: string; view: object }[]> => {
  const options = { anyProject: true }; // the relay reads the records of all projects
  const found = await Department.find({ _id: { $in: keys } }, DEPARTMENT_FIELDS, options).lean<StoredDepartment[]>();
  return found.map((department) => ({ key: String(department._id), view: detailView(department) }));
};
