/** Fills the demo project as if a team had worked with it for weeks. */
import { rebuild } from '#shared/domain/analytics/rebuild.ts';
import { clusterQuestions } from '#shared/domain/knowledge/question-log/cluster-questions.ts';
import { unansweredQuestions as questions } from '#shared/domain/knowledge/question-log/question-logs.ts';
import { Bot } from '#shared/models/bot.ts';
import { Department } from '#shared/models/department.ts';
import { ProjectUser, TEAM_ROLE_TYPE } from '#shared/models/project-user.ts';
import { User } from '#shared/models/user.ts';
import { fillProject } from '../../scripts/seed/fill-project.ts';
import { lifelikeHistory } from '../../scripts/seed/lifelike-history.ts';
import type { SeedAgent } from '../../scripts/seed/project-records.ts';

const SEED = 17;
const AGENT_NAMES = ['Amara Okafor', 'Jonas Weber', 'Priya Nair', 'Lucía Romero'];
const DEPARTMENT_NAMES = ['Returns', 'Billing'];
const UNANSWERED = [
  ...['Do you ship to Norway?', 'do you ship to Norway', 'Do you ship to Norway', 'Can I pay with two gift cards?'],
  ...['Is the blue jacket coming back in size M?', 'Can I pay with two gift cards?', 'Do you have a shop in Lyon?'],
];

const createAgent = async (id_project: string, name: string): Promise<SeedAgent> => {
  const [firstname = '', lastname = ''] = name.split(' ');
  const email = `${firstname.toLowerCase()}.${id_project}@example.org`;
  const [user] = await User.create([{ email, password: '-', firstname, lastname }]);
  const member = { id_project, id_user: user?._id, role: 'agent', roleType: TEAM_ROLE_TYPE, createdBy: 'seed' };
  const [teammate] = await ProjectUser.create([member]);
  return { _id: String(teammate?._id), id_user: String(user?._id) };
};

const createDepartments = async (id_project: string): Promise<string[]> => {
  const main = await Department.findOne({ id_project, default: true }).orFail();
  const more = await Department.create(DEPARTMENT_NAMES.map((name) => ({ id_project, name, createdBy: 'seed' })));
  return [main, ...more].map(({ _id }) => String(_id));
};

/** Adds agents, departments, unanswered questions and past conversations, and rebuilds the analytics. */
export const addHistory = async (
  id_project: string,
  { requests, weeks = 13, now = Date.now() }: { requests: number; weeks?: number; now?: number },
): Promise<void> => {
  const departments = await createDepartments(id_project);
  const agents = await Promise.all(AGENT_NAMES.map((name) => createAgent(id_project, name)));
  const bot = String((await Bot.findOne({ id_project }).orFail())._id);
  const [department = ''] = departments;
  const shape = lifelikeHistory({ requests, weeks, now, seed: SEED, departments, agents, bot });
  await fillProject({ id_project, department, agents, requests, ...shape });
  for (const question of UNANSWERED) await questions.add(id_project, { namespace: id_project, question });
  await clusterQuestions({ id_project, namespace: id_project });
  await rebuild(id_project);
};
