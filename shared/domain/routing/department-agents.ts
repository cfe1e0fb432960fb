/** The agents of a department: all of them, the available ones, and the one who would receive the next conversation. */
import { readMany } from '../../database/raw-read.ts';
import { Group, GroupView } from '../../models/group.ts';
import {
  ProjectUser,
  type StoredMembership,
  TEAMMATE_FIELDS,
  type UpdatedTeammate,
  updateView,
} from '../../models/project-user.ts';
import { projectionOf } from '../../wire/view.ts';
import * as departments from '../departments/departments.ts';
import * as projects from '../projects/projects.ts';
import { type Agent, availableAgents, planRouting, type RoutingPlan } from './routing-plan.ts';
import { predictChoice } from './simulation.ts';
import { readCredits } from './weighted-round-robin.ts';

/** Options of `readDepartmentAgents`. */
interface AgentsQuery {
  /** Whether to ignore the department's bot. */
  nobot: boolean;
  /** Whether to ignore all limits on open conversations. */
  unlimited: boolean;
}

const readTeammates = async (id_project: string, agents: Agent[]): Promise<Map<string, UpdatedTeammate>> => {
  const members = await readMany(
    ProjectUser,
    { id_project, _id: { $in: agents.map(({ _id }) => _id) } },
    { fields: TEAMMATE_FIELDS },
  );
  return new Map((members as unknown as StoredMembership[]).map((member) => [String(member._id), updateView(member)]));
};

const withoutLimits = (plan: RoutingPlan): RoutingPlan => ({
  ...plan,
  agents: plan.agents.map((agent) => ({ ...agent, capacity: null })),
});

/** Returns the agent or bot that would be chosen, as a list of at most one entry. */
const selectedAgent = async (
  plan: RoutingPlan,
  viewsOf: (agent: Agent) => UpdatedTeammate[],
): Promise<(UpdatedTeammate | { id_user: string })[]> => {
  const { bot, shares, department } = plan;
  if (bot) return [{ id_user: `bot_${bot}` }];
  const turnKey = { id_project: department.id_project, department: department._id };
  const { chosen } = predictChoice(plan, shares ? { credits: await readCredits({ ...turnKey, shares }) } : {});
  return chosen ? viewsOf(chosen) : [];
};

const groupsOf = async (id_project: string, id_group?: string | null) =>
  id_group ? { group: await readMany(Group, { id_project, _id: id_group }, { fields: projectionOf(GroupView) }) } : {};

const loadViews = (available: Agent[], viewsOf: (agent: Agent) => UpdatedTeammate[]) => ({
  available_agents_request: available.flatMap((agent) =>
    viewsOf(agent).map((project_user) => ({
      ...{ project_user, openRequetsCount: agent.open }, // deployed clients read this spelling
      openRequestsCount: agent.open,
    })),
  ),
});

/**
 * Reads the agents of a department: all of them, the available ones, and the one who would receive the next
 * conversation.
 * Errors: 404 for an unknown department.
 */
export const readDepartmentAgents = async (
  id_project: string,
  departmentId: string,
  { nobot, unlimited }: AgentsQuery,
) => {
  const department = (await departments.read(id_project, departmentId, {
    detailed: true,
  })) as departments.DepartmentDetail;
  const plan = await planRouting(id_project, String(department._id), { nobot });
  if (!plan.agents.length && !plan.bot) return { department, agents: [], available_agents: [], operators: [] };
  const viewsById = await readTeammates(id_project, plan.agents);
  const viewsOf = (agent: Agent): UpdatedTeammate[] => [viewsById.get(agent._id)].filter((each) => each !== undefined);
  const available = availableAgents(plan);
  return {
    department,
    agents: plan.agents.flatMap(viewsOf),
    available_agents: available.flatMap(viewsOf),
    operators: await selectedAgent(unlimited ? withoutLimits(plan) : plan, viewsOf),
    ...(plan.bot ? { id_bot: plan.bot } : { id_project }),
    ...(await groupsOf(id_project, department.id_group)),
    ...(plan.limit === null || unlimited ? {} : loadViews(available, viewsOf)),
    project: await projects.read(id_project),
  };
};
