/** `npm run cli -- seed …` */
import { type Command, InvalidArgumentError } from 'commander';
import { newUuid } from '#shared/context.ts';
import * as projects from '#shared/domain/projects/projects.ts';
import { AppError } from '#shared/errors.ts';
import { Department } from '#shared/models/department.ts';
import { ProjectUser, TEAM_ROLE_TYPE } from '#shared/models/project-user.ts';
import { User } from '#shared/models/user.ts';
import { hashPassword } from '#shared/security/passwords.ts';
import { fillProject } from '../seed/fill-project.ts';
import type { SeedAgent } from '../seed/project-records.ts';
import { withMongo } from './connections.ts';

const AGENT_COUNT = 8;
const MAX_CONVERSATIONS = 10_000_000;

const findOwner = async (email: string) => {
  const owner = await User.findOne({ email: email.toLowerCase() }, { email: 1 }).lean();
  if (!owner) throw new AppError(404, 'NOT_FOUND', `There is no account with the email address ${email}`);
  return { id: String(owner._id), email: owner.email };
};

/** Creates agents. Their password is random and not printed, so that no one can sign in to their accounts. */
const createAgents = async (id_project: string): Promise<SeedAgent[]> => {
  const password = await hashPassword(newUuid());
  const agents: SeedAgent[] = [];
  for (let number = 1; number <= AGENT_COUNT; number += 1) {
    const email = `agent-${number}.${id_project}@example.org`;
    const [user] = await User.create([{ email, password, firstname: 'Agent', lastname: `${number}` }]);
    const member = { id_project, id_user: user?._id, role: 'agent', roleType: TEAM_ROLE_TYPE, createdBy: 'seed' };
    const [teammate] = await ProjectUser.create([member]);
    agents.push({ _id: String(teammate?._id), id_user: String(user?._id) });
  }
  return agents;
};

/** Gives the default department the routing `pooled`, which assigns no conversations. Returns the department's id. */
const poolDefaultDepartment = async (id_project: string): Promise<string> => {
  const filter = { id_project, default: true };
  const department = await Department.findOneAndUpdate(filter, { $set: { routing: 'pooled' } })
    .orFail()
    .lean();
  return String(department._id);
};

const seedProject = async (email: string, requests: number): Promise<void> => {
  const owner = await findOwner(email);
  const id_project = await projects.create({ name: `${requests} conversations` }, owner);
  const [agents, department] = [await createAgents(id_project), await poolDefaultDepartment(id_project)];
  await fillProject({ id_project, department, agents, requests }, (done) => {
    if (done % 100_000 === 0) console.log(`${done} of ${requests}`);
  });
  console.log(`Project ${id_project} has ${requests} conversations.`);
};

const parseCount = (text: string): number => {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= MAX_CONVERSATIONS) return count;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${MAX_CONVERSATIONS}.`);
};

/** Adds the `seed` command. */
export const addSeedCommand = (program: Command): void => {
  program
    .command('seed <owner>')
    .description('create a project with conversations, messages and leads for the account with this email address')
    .option('--requests <count>', 'the number of conversations; 95% are closed', parseCount, 10_000)
    .action((owner: string, { requests }: { requests: number }) => withMongo(() => seedProject(owner, requests)));
};
