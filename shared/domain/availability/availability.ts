/** Availability of a project: whether it is open, and which of its agents can take conversations now. */
import { readMany } from '../../database/raw-read.ts';
import { AppError } from '../../errors.ts';
import { ACTIVE_MEMBER, ProjectUser, TEAM_ROLE_TYPE } from '../../models/project-user.ts';
import { ACCOUNT_ACTIVE, User } from '../../models/user.ts';
import { currentTime } from '../../time/clock.ts';
import { findDepartmentMemberIds } from '../departments/department-members.ts';
import { findCachedProject } from '../access/cached-project.ts';
import { isPlanLapsed, type StoredProject } from '../projects/projects.ts';
import { isBelowListLimit } from '../team/capacity.ts';
import { HOURS_ERROR, hoursError, isProjectOpen, type ProjectHours } from './operating-hours.ts';

type ProjectSchedule = ProjectHours & Parameters<typeof isPlanLapsed>[1];
type ProjectWithSettings = Pick<StoredProject, 'settings'>;

const findProject = async (id: string): Promise<ProjectSchedule & ProjectWithSettings> => {
  const project = await findCachedProject(id);
  if (!project) throw hoursError(HOURS_ERROR.project, 'Project not found');
  return project;
};

/**
 * Returns whether a project, or one of its time slots, is open at a given time. With TRIAL_MODE, a project whose free
 * trial or paid subscription has expired is always open: its hours are ignored. Otherwise, throws `hoursError` for an
 * unknown time slot or unreadable hours.
 */
export const isOpen = (project: ProjectSchedule, when: { at: Date; timeSlot?: string }): boolean =>
  isPlanLapsed(when.at.getTime(), project) || isProjectOpen(project, when);

/**
 * Returns whether a project is open now. Unreadable hours are treated as closed, so that conversations wait instead of
 * being rejected.
 */
export const isOpenNow = (project: ProjectSchedule): boolean => {
  try {
    return isOpen(project, { at: currentTime() });
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
};

/**
 * Like `isOpen`, for the project with the given id. Errors: 404 for an unknown project or time slot, 500 for unreadable
 * hours.
 */
export const isOpenById = async (id: string, when: { at: Date; timeSlot?: string }): Promise<boolean> =>
  isOpen(await findProject(id), when);

/** Returns the filter for active teammates who are available. */
const availableAgentsFilter = (id_project: string) => ({
  id_project,
  roleType: TEAM_ROLE_TYPE,
  ...ACTIVE_MEMBER,
  user_available: true,
});
const MEMBER_FIELDS = { _id: 1, id_user: 1, max_assigned_chat: 1, number_assigned_requests: 1 } as const;

interface Member {
  _id: unknown;
  id_user?: unknown;
  max_assigned_chat?: number | null;
  number_assigned_requests?: number | null;
}

const NAME_FIELDS = { _id: 1, firstname: 1, lastname: 1 } as const;

/** Adds the names of the accounts; leaves out members whose account is closed or deleted. */
const withAccountNames = async (members: Member[]) => {
  const ids = members.flatMap(({ id_user }) => (id_user ? [String(id_user)] : []));
  const users = ids.length
    ? await readMany(User, { _id: { $in: ids }, status: ACCOUNT_ACTIVE }, { fields: NAME_FIELDS })
    : [];
  const byId = new Map(users.map((user) => [String(user._id), user]));
  return members.flatMap((member) => {
    const user = byId.get(String(member.id_user));
    if (!user) return [];
    const [firstname, lastname] = [user.firstname ?? '', user.lastname ?? ''];
    return [{ id: String(member.id_user), firstname, lastname, member }];
  });
};

const agentView = ({ id, firstname, lastname, member }: Awaited<ReturnType<typeof withAccountNames>>[number]) => ({
  id,
  pu_id: String(member._id),
  firstname,
  lastname,
  fullname: [firstname, lastname].filter(Boolean).join(' '),
  assigned_request: member.number_assigned_requests ?? 0,
});

/**
 * Lists the available agents who are below their limit on open conversations (for this list, `isBelowListLimit`
 * decides). Outside the operating hours, the list is empty, unless `raw` is set. Errors: 404 for an unknown project,
 * department or group, 403 if all groups of the department are disabled, 500 for unreadable hours (unless `raw` is
 * set).
 */
export const listAvailableAgents = async (
  id_project: string,
  { raw, department }: { raw: boolean; department?: string },
) => {
  const project = await findProject(id_project);
  const memberIds = department ? await findDepartmentMemberIds(id_project, department) : null;
  if (!raw && !isOpen(project, { at: currentTime() })) return [];
  const filter = { ...availableAgentsFilter(id_project), ...(memberIds ? { id_user: { $in: memberIds } } : {}) };
  const members = await readMany(ProjectUser, filter, { fields: MEMBER_FIELDS });
  return (await withAccountNames(members.filter((member) => isBelowListLimit(project.settings, member)))).map(
    agentView,
  );
};

/**
 * Lists the ids and first names of the available teammates, however many conversations they have. The widget shows them
 * while the project is open.
 */
export const listOnlineAgents = async (id_project: string) =>
  (
    await withAccountNames(await readMany(ProjectUser, availableAgentsFilter(id_project), { fields: MEMBER_FIELDS }))
  ).map(({ id, firstname }) => ({
    id,
    firstname,
  }));
