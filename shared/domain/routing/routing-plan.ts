/**
 * The routing plan of a department: its bot, its agents with their loads, its groups, and whether the project is open
 * now. Also selects those agents of a plan to whom a conversation can be assigned.
 */
import { type InferSchemaType, Types } from 'mongoose';
import { countRecords } from '../../database/raw-read.ts';
import { AppError, invalidField } from '../../errors.ts';
import { Bot } from '../../models/bot.ts';
import { Department } from '../../models/department.ts';
import { Project } from '../../models/project.ts';
import { ProjectUser } from '../../models/project-user.ts';
import { Subscription } from '../../models/subscription.ts';
import { isId } from '../../wire/view.ts';
import { AccessCache, accessKey } from '../access/access-changes.ts';
import { isOpenNow } from '../availability/availability.ts';
import { type DepartmentGroup, findEnabledGroups } from '../departments/department-members.ts';
import { capacityOf, hasCapacity, type ProjectLimits, projectLimit } from '../team/capacity.ts';
import { SYNCHRONOUS_EVENT } from '../webhooks/subscribable-events.ts';
import { agentsFilter } from './reservations.ts';

/** An agent who serves the department. */
export interface Agent {
  /** Id of the membership. */
  _id: string;
  id_user: string;
  role: string;
  available: boolean;
  open: number;
  /** Maximum number of open conversations; null if there is no limit. */
  capacity: number | null;
  last_assigned_at: Date | null;
}

/** A group's share of a department's conversations, with the user ids of its members. */
export interface GroupShare {
  id_group: string;
  weight: number;
  members: string[];
}

const DEPARTMENT_FIELDS = { _id: 1, name: 1, routing: 1, default: 1, status: 1, id_project: 1, id_bot: 1 } as const;
const GROUP_REFERENCE_FIELDS = { id_group: 1, groups: 1 } as const;

type StoredDepartment = Pick<
  InferSchemaType<typeof Department.schema>,
  Exclude<keyof typeof DEPARTMENT_FIELDS | keyof typeof GROUP_REFERENCE_FIELDS, '_id'>
> & { _id: unknown };
type FoundDepartment = StoredDepartment & { _id: string };

/** Returns the enabled groups that serve a department; none if it names no group: all agents then serve it. */
const findGroups = async (department: FoundDepartment): Promise<DepartmentGroup[]> =>
  department.groups?.length || department.id_group ? findEnabledGroups(department) : [];

const sharesOf = (groups: DepartmentGroup[]): GroupShare[] | null =>
  groups.some(({ percentage }) => percentage != null)
    ? groups.map(({ percentage, ...group }) => ({ ...group, weight: percentage ?? 0 }))
    : null;

/** Returns the id of the given bot if the project has it; otherwise undefined. */
export const findBot = async ({
  id_project,
  id_bot,
}: Pick<FoundDepartment, 'id_project' | 'id_bot'>): Promise<string | undefined> => {
  if (!id_bot || !isId(id_bot)) return undefined;
  return (await countRecords(Bot, { id_project, _id: id_bot, trashed: false })) ? id_bot : undefined;
};

const LOAD_FIELDS = { number_assigned_requests: 1, max_assigned_chat: 1, last_assigned_at: 1 } as const;
const AGENT_FIELDS = { _id: 1, id_user: 1, role: 1, user_available: 1, ...LOAD_FIELDS } as const;
const HOURS_FIELDS = { activeOperatingHours: 1, operatingHours: 1, profile: 1, createdAt: 1 } as const;
const LIMIT_FIELDS = { 'settings.chat_limit_on': 1, 'settings.max_agent_assigned_chat': 1 } as const;

type StoredAgent = Pick<InstanceType<typeof ProjectUser>, keyof typeof AGENT_FIELDS>;
type RoutedProject = Parameters<typeof isOpenNow>[0] & { settings?: ProjectLimits };
/** A document that `readRecords` reads: an agent, or a document whose only field is another record. */
type ReadRecord = StoredAgent | { department: StoredDepartment } | { project: RoutedProject };

/** Returns the aggregation stage that appends a document whose only field is one record of another collection. */
const appendStage = (field: string, coll: string, { match, fields }: { match: object; fields: object }) => ({
  $unionWith: {
    coll,
    pipeline: [{ $match: match }, { $limit: 1 }, { $project: fields }, { $replaceWith: { [field]: '$$ROOT' } }],
  },
});

/**
 * Reads the agents, the department and the project with one command. No cache is involved, so an assignment applies the
 * limits, groups and operating hours that are stored when it begins.
 */
const readRecords = async (id_project: string, key: object) => {
  const department = { match: { id_project, ...key }, fields: { ...DEPARTMENT_FIELDS, ...GROUP_REFERENCE_FIELDS } };
  const project = { match: { _id: new Types.ObjectId(id_project) }, fields: { ...HOURS_FIELDS, ...LIMIT_FIELDS } };
  const found = await ProjectUser.aggregate<ReadRecord>([
    { $match: agentsFilter(id_project) },
    { $project: AGENT_FIELDS },
    appendStage('department', Department.modelName, department),
    appendStage('project', Project.modelName, project),
  ]);
  return {
    members: found.filter((each) => '_id' in each),
    department: found.find((each) => 'department' in each)?.department,
    project: found.find((each) => 'project' in each)?.project,
  };
};

/**
 * Returns the filter for a department, by default the project's default one; undefined for an id that is not an
 * ObjectId.
 */
const departmentKey = (id = 'default'): object | undefined => {
  if (id === 'default') return { default: true };
  return isId(id) ? { _id: new Types.ObjectId(id) } : undefined;
};

/**
 * Reads the records that a plan is based on; `departmentId` defaults to the project's default department.
 * Errors: 422 `UNKNOWN_DEPARTMENT` if the project does not have the department.
 */
const readPlanRecords = async (id_project: string, departmentId?: string) => {
  const key = departmentKey(departmentId);
  const records = key && (await readRecords(id_project, key));
  if (records?.department)
    return { ...records, department: { ...records.department, _id: String(records.department._id) } };
  const { message, body } = invalidField('departmentid', 'The project has no such department');
  throw new AppError(422, 'UNKNOWN_DEPARTMENT', message).with({ body });
};

const toAgent = (member: StoredAgent, limit: number | null): Agent => ({
  _id: String(member._id),
  id_user: String(member.id_user),
  role: member.role,
  available: member.user_available,
  open: member.number_assigned_requests,
  capacity: capacityOf(member.max_assigned_chat, limit),
  last_assigned_at: member.last_assigned_at ?? null,
});

const selectorCache = new AccessCache<string[]>(20_000);

const readSelectors = async (id_project: string) => {
  const active = { id_project, event: SYNCHRONOUS_EVENT, enabled: { $ne: false } };
  const found = await Subscription.find(active, { _id: 1 }).sort({ _id: 1 }).lean();
  return { value: found.map(({ _id }) => String(_id)), accessKeys: [accessKey({ subscriptions: id_project })] };
};

/** Returns the ids of the project's enabled subscriptions to `operator.select`, in the order of creation. */
export const findSelectors = async (id_project: string): Promise<string[]> =>
  (await selectorCache.getOrLoad(id_project, () => readSelectors(id_project))) ?? [];

/** The data on which an assignment to a department is based. */
export interface RoutingPlan {
  department: Pick<FoundDepartment, keyof typeof DEPARTMENT_FIELDS>;
  /**
   * Id of the department's bot, or of the bot that a webhook has selected. The bot takes precedence over all agents
   * except `operators`.
   */
  bot?: string;
  /** Ids of the subscriptions whose answers may select another agent. */
  selectors?: string[];
  /** User ids of the agents whom a webhook has selected (`operator.select`); only the first one is used. */
  operators?: string[];
  /** Whether the current time is within the operating hours; true if the project has none. */
  isOpen: boolean;
  agents: Agent[];
  /** The groups that share the conversations by percentage; null if the department has no percentages. */
  shares: GroupShare[] | null;
  /** The project's limit on open conversations, for agents without a limit of their own; null if there is none. */
  limit: number | null;
}

/**
 * Plans routing to a department, by default the project's default one; with `nobot`, its bot is ignored.
 * Errors: 422 for an unknown department.
 */
export const planRouting = async (
  id_project: string,
  departmentId?: string,
  { nobot = false } = {},
): Promise<RoutingPlan> => {
  const [{ department, members, project }, selectors] = await Promise.all([
    readPlanRecords(id_project, departmentId),
    findSelectors(id_project),
  ]);
  const [groups, bot] = await Promise.all([findGroups(department), nobot ? undefined : findBot(department)]);
  const limit = projectLimit(project?.settings);
  const grouped = new Set(groups.flatMap((group) => group.members));
  const agents = members.map((member) => toAgent(member, limit));
  const { id_group: _, groups: __, ...routingDepartment } = department;
  return {
    department: routingDepartment,
    bot,
    selectors,
    isOpen: !project?.activeOperatingHours || isOpenNow(project),
    agents: groups.length ? agents.filter(({ id_user }) => grouped.has(id_user)) : agents,
    shares: sharesOf(groups),
    limit,
  };
};

/**
 * Plans routing to a conversation's department, or to the default one if the conversation has none or its department
 * was deleted.
 */
export const planForConversation = async (
  { id_project, department }: { id_project: string; department?: string | null },
  options?: { nobot: boolean },
): Promise<RoutingPlan> => {
  const exists = isId(department) && (await countRecords(Department, { id_project, _id: department })) > 0;
  return planRouting(id_project, exists ? department : undefined, options);
};

/** Returns the agents who are available now, regardless of their load; none outside the operating hours. */
export const availableAgents = ({ agents, isOpen }: RoutingPlan): Agent[] =>
  isOpen ? agents.filter((agent) => agent.available) : [];

/** Returns the plan's agents in the form that a conversation stores in `agents`. */
export const candidateAgents = ({ agents }: RoutingPlan) =>
  agents.map(({ _id, id_user, role }) => ({ _id, id_user, role }));

/** Membership ids of the agents who left the conversation. */
export type AbandonedByIds = ReadonlySet<string>;

export const NOT_ABANDONED: AbandonedByIds = new Set();

/** Returns the agents to whom the conversation can be assigned now, in the order in which `reserve` prefers them. */
export const eligibleAgents = (plan: RoutingPlan, abandonedBy: AbandonedByIds): Agent[] =>
  availableAgents(plan)
    .filter((agent) => !abandonedBy.has(agent._id) && hasCapacity(agent))
    .toSorted(compareAgents);

/** Returns the time of an agent's last assignment, in epoch milliseconds; 0 if there is none. */
export const lastAssignedAt = ({ last_assigned_at }: Pick<Agent, 'last_assigned_at'>): number =>
  last_assigned_at?.getTime() ?? 0;

const compareAgents = (one: Agent, other: Agent): number =>
  one.open - other.open || lastAssignedAt(one) - lastAssignedAt(other) || (one._id < other._id ? -1 : 1);

/** Returns the groups with a positive weight and at least one eligible agent. */
export const eligibleShares = (shares: GroupShare[], eligible: Agent[]): GroupShare[] => {
  const ids = new Set(eligible.map(({ id_user }) => id_user));
  return shares.filter(({ weight, members }) => weight > 0 && members.some((id) => ids.has(id)));
};

/** Returns whether all agents of the plan have left the conversation; false for a plan without agents. */
export const isAbandonedByAll = ({ agents }: RoutingPlan, abandonedBy: AbandonedByIds): boolean =>
  agents.length > 0 && agents.every(({ _id }) => abandonedBy.has(_id));
