/** Who serves a department now, and whom it would give its next conversation to (contract b 6.3). */
import { Group, GroupView } from '../../models/group.ts';
import { ProjectUser } from '../../models/project-user.ts';
import { readMany } from '../../read.ts';
import { fieldsOf } from '../../view.ts';
import * as projects from '../projects/projects.ts';
import * as departments from '../team/departments.ts';
import { type Changed, changed, FIELDS, type Stored } from '../team/members.ts';
import { choose } from './choose.ts';
import { type Agent, availableOf, type Plan, plan } from './plan.ts';
import { creditsOf } from './turns.ts';

/** How it is asked. */
interface Asked {
  /** As if the department had no bot. */
  nobot: boolean;
  /** As if everybody might have any number of conversations. */
  unlimited: boolean;
}

const teammates = async (id_project: string, agents: Agent[]): Promise<Map<string, Changed>> => {
  const found = await readMany(
    ProjectUser,
    { id_project, _id: { $in: agents.map(({ _id }) => _id) } },
    { fields: FIELDS },
  );
  return new Map((found as unknown as Stored[]).map((member) => [String(member._id), changed(member)]));
};

const withoutLimits = (now: Plan): Plan => ({
  ...now,
  agents: now.agents.map((agent) => ({ ...agent, capacity: null })),
});

/** The one who would be chosen, as a list. */
const chosenOf = async (now: Plan, shown: (agent: Agent) => Changed[]): Promise<(Changed | { id_user: string })[]> => {
  const { bot, shares, department } = now;
  if (bot) return [{ id_user: `bot_${bot}` }];
  const turned = { id_project: department.id_project, department: department._id };
  const { chosen } = choose(now, shares ? { credits: await creditsOf({ ...turned, shares }) } : {});
  return chosen ? shown(chosen) : [];
};

const groupsOf = async (id_project: string, id_group?: string | null) =>
  id_group ? { group: await readMany(Group, { id_project, _id: id_group }, { fields: fieldsOf(GroupView) }) } : {};

const loads = (available: Agent[], shown: (agent: Agent) => Changed[]) => ({
  available_agents_request: available.flatMap((agent) =>
    shown(agent).map((project_user) => ({
      ...{ project_user, openRequetsCount: agent.open }, // known clients read this spelling
      openRequestsCount: agent.open,
    })),
  ),
});

/** The teammates of a department, those who are available, and the one who would be given a conversation; 404 for an unknown one. */
export const operatorsOf = async (id_project: string, which: string, { nobot, unlimited }: Asked) => {
  const department = (await departments.read(id_project, which, { whole: true })) as departments.Whole;
  const now = await plan(id_project, String(department._id), { nobot });
  const none = { department, agents: [], available_agents: [], operators: [] };
  if (!now.agents.length && !now.bot) return none;
  const known = await teammates(id_project, now.agents);
  const shown = (agent: Agent): Changed[] => [known.get(agent._id)].filter((each) => each !== undefined);
  const available = availableOf(now);
  return {
    department,
    agents: now.agents.flatMap(shown),
    available_agents: available.flatMap(shown),
    operators: await chosenOf(unlimited ? withoutLimits(now) : now, shown),
    ...(now.bot ? { id_bot: now.bot } : { id_project }),
    ...(await groupsOf(id_project, department.id_group)),
    ...(now.limit === null || unlimited ? {} : loads(available, shown)),
    project: await projects.read(id_project),
  };
};
