/** What routing decides on, read once: the department, its teammates with their loads, and whether the project is open now. */
import { AppError } from '../../errors.ts';
import { Bot } from '../../models/bot.ts';
import { Department } from '../../models/department.ts';
import { Group } from '../../models/group.ts';
import { Project } from '../../models/project.ts';
import { ProjectUser } from '../../models/project-user.ts';
import { countOf, readMany, readOne } from '../../read.ts';
import { isId } from '../../view.ts';
import { isOpen } from '../projects/availability.ts';
import { operators } from './claims.ts';

/** A teammate who may come into question. */
export interface Agent {
  /** Of the membership. */
  _id: string;
  id_user: string;
  role: string;
  available: boolean;
  open: number;
  /** How many it may have open at once; null for any number. */
  capacity: number | null;
  last_assigned_at: Date | null;
}

/** A group's share of a department's conversations. */
export interface Share {
  id_group: string;
  weight: number;
  members: string[];
}

const DEPARTMENT = { _id: 1, name: 1, routing: 1, default: 1, status: 1, id_project: 1, id_bot: 1 } as const;
const SERVED_BY = { id_group: 1, groups: 1 } as const;

/** The department that is asked for, else the project's default one; 422 for one that is not the project's. */
const departmentOf = async (id_project: string, wanted = 'default') => {
  const which = wanted === 'default' ? { default: true } : { _id: wanted };
  const known = wanted === 'default' || isId(wanted);
  const department = known
    ? await readOne(Department, { id_project, ...which }, { ...DEPARTMENT, ...SERVED_BY })
    : null;
  if (department) return { ...department, _id: String(department._id) };
  const msg = 'The project has no such department';
  const told = { path: 'departmentid', code: 'custom', message: msg, param: 'departmentid', msg, location: 'body' };
  throw new AppError(422, 'UNKNOWN_DEPARTMENT', `departmentid: ${msg}`).with({ body: { errors: [told] } });
};

type Found = Awaited<ReturnType<typeof departmentOf>>;

/** The groups that serve a department; those that are disabled or gone count as if it did not name them. */
const groupsOf = async ({ id_project, groups, id_group }: Found) => {
  const ids = [...(groups ?? []).map((share) => share.id_group), id_group ?? ''].filter(isId);
  if (!ids.length) return [];
  const usable = { id_project, _id: { $in: ids }, enabled: true, trashed: false };
  const found = await readMany(Group, usable, { fields: { _id: 1, members: 1 } });
  const members = new Map(found.map((group) => [String(group._id), group.members]));
  const serving = (groups ?? []).filter((share) => members.has(share.id_group));
  const shares =
    serving.length || !id_group || !members.has(id_group) ? serving : [{ id_group, percentage: undefined }];
  return shares.map((share) => ({ ...share, members: members.get(share.id_group) ?? [] }));
};

const sharesOf = (groups: Awaited<ReturnType<typeof groupsOf>>): Share[] | null =>
  groups.some(({ percentage }) => percentage != null)
    ? groups.map(({ percentage, ...group }) => ({ ...group, weight: percentage ?? 0 }))
    : null;

const botOf = async ({ id_project, id_bot }: Found): Promise<string | undefined> => {
  if (!id_bot || !isId(id_bot)) return undefined;
  return (await countOf(Bot, { id_project, _id: id_bot, trashed: false })) ? id_bot : undefined;
};

const LOAD = { number_assigned_requests: 1, max_assigned_chat: 1, last_assigned_at: 1 } as const;
const AGENT = { _id: 1, id_user: 1, role: 1, user_available: 1, ...LOAD } as const;

const teamOf = (id_project: string) => readMany(ProjectUser, operators(id_project), { fields: AGENT });

const agentOf = (member: Awaited<ReturnType<typeof teamOf>>[number], limit: number | null): Agent => ({
  _id: String(member._id),
  id_user: String(member.id_user),
  role: member.role,
  available: member.user_available,
  open: member.number_assigned_requests,
  capacity: member.max_assigned_chat && member.max_assigned_chat > 0 ? member.max_assigned_chat : limit,
  last_assigned_at: member.last_assigned_at ?? null,
});

const PROJECT = { activeOperatingHours: 1, operatingHours: 1, settings: 1, profile: 1, createdAt: 1 } as const;

const projectOf = (_id: string) => readOne(Project, { _id }, PROJECT);

type Timed = Parameters<typeof isOpen>[0] & { settings: Record<string, unknown> };

/** Hours that cannot be read are never open: conversations wait, and none is refused. */
const isOpenNow = (project: Timed | null): boolean => {
  if (!project?.activeOperatingHours) return true;
  try {
    return isOpen(project, { at: new Date() });
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
};

const limitOf = (project: Timed | null): number | null => {
  const { chat_limit_on, max_agent_assigned_chat: most } = project?.settings ?? {};
  return chat_limit_on && typeof most === 'number' && most > 0 ? most : null;
};

/** Where a conversation goes, and among whom is chosen. */
export interface Plan {
  department: Pick<Found, keyof typeof DEPARTMENT>;
  /** Who answers first, if a bot does. */
  bot?: string;
  isOpen: boolean;
  agents: Agent[];
  /** The groups that take turns; null where all teammates are one. */
  shares: Share[] | null;
  /** What a teammate without a limit of its own may have. */
  limit: number | null;
}

/** The plan for a department, the project's default one unless it is named; with `nobot` its bot is left out. */
export const plan = async (id_project: string, wanted?: string, { nobot = false } = {}): Promise<Plan> => {
  const [department, team, found] = await Promise.all([
    departmentOf(id_project, wanted),
    teamOf(id_project),
    projectOf(id_project),
  ]);
  const project = found as unknown as Timed | null;
  const [groups, bot] = await Promise.all([groupsOf(department), nobot ? undefined : botOf(department)]);
  const limit = limitOf(project);
  const serving = new Set(groups.flatMap(({ members }) => members));
  const agents = team.map((member) => agentOf(member, limit));
  const { id_group: _, groups: __, ...shown } = department;
  return {
    department: shown,
    bot,
    isOpen: isOpenNow(project),
    agents: groups.length ? agents.filter(({ id_user }) => serving.has(id_user)) : agents,
    shares: sharesOf(groups),
    limit,
  };
};

/** The same for a conversation's own department, or the default one where it has none or its own is gone. */
export const ownPlan = async (
  { id_project, department }: { id_project: string; department?: string | null },
  how?: { nobot: boolean },
): Promise<Plan> => {
  const isThere = isId(department) && (await countOf(Department, { id_project, _id: department })) > 0;
  return plan(id_project, isThere ? department : undefined, how);
};

/** Those who are there to take a conversation now, whatever their load. */
export const availableOf = ({ agents, isOpen }: Plan): Agent[] =>
  isOpen ? agents.filter((agent) => agent.available) : [];

/** The teammates among whom was chosen, as a conversation keeps them. */
export const candidatesOf = ({ agents }: Plan) => agents.map(({ _id, id_user, role }) => ({ _id, id_user, role }));
