/** `npm run cli -- seed …` */
import { type Command, InvalidArgumentError } from 'commander';
import { newUuid } from '#shared/context.ts';
import * as projects from '#shared/domain/projects/projects.ts';
import { AppError } from '#shared/errors.ts';
import { Department } from '#shared/models/department.ts';
import { ProjectUser, TEAM } from '#shared/models/project-user.ts';
import { User } from '#shared/models/user.ts';
import { hashPassword } from '#shared/passwords.ts';
import { fill } from '../seed/project.ts';
import type { Agent } from '../seed/records.ts';
import { withRecords } from './services.ts';

const AGENTS = 8;
const MOST = 10_000_000;

const ownerOf = async (email: string) => {
  const owner = await User.findOne({ email: email.toLowerCase() }, { email: 1 }).lean();
  if (!owner) throw new AppError(404, 'NOT_FOUND', `No account has the e-mail ${email}`);
  return { id: String(owner._id), email: owner.email };
};

/** Teammates with accounts that nobody signs in to. */
const teamOf = async (id_project: string): Promise<Agent[]> => {
  const password = await hashPassword(newUuid());
  const agents: Agent[] = [];
  for (let at = 1; at <= AGENTS; at += 1) {
    const email = `agent-${at}.${id_project}@example.org`;
    const [user] = await User.create([{ email, password, firstname: 'Agent', lastname: `${at}` }]);
    const member = { id_project, id_user: user?._id, role: 'agent', roleType: TEAM, createdBy: 'seed' };
    const [teammate] = await ProjectUser.create([member]);
    agents.push({ _id: String(teammate?._id), id_user: String(user?._id) });
  }
  return agents;
};

/** Nobody is given what waits there: the project is to be looked at. */
const pooled = async (id_project: string): Promise<string> => {
  const found = { id_project, default: true };
  const department = await Department.findOneAndUpdate(found, { $set: { routing: 'pooled' } })
    .orFail()
    .lean();
  return String(department._id);
};

const seed = async (email: string, requests: number): Promise<void> => {
  const owner = await ownerOf(email);
  const id_project = await projects.create({ name: `${requests} conversations` }, owner);
  const [agents, department] = [await teamOf(id_project), await pooled(id_project)];
  await fill({ id_project, department, agents, requests }, (done) => {
    if (done % 100_000 === 0) console.log(`${done} of ${requests}`);
  });
  console.log(`Project ${id_project} has ${requests} conversations.`);
};

const countIn = (text: string): number => {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= MOST) return count;
  throw new InvalidArgumentError(`A whole number from 1 to ${MOST}.`);
};

/** A project to try and to measure with. */
export const addSeed = (program: Command): void => {
  program
    .command('seed <owner>')
    .description(
      'make a project, of the account with this e-mail, that is full of conversations with messages and leads',
    )
    .option('--requests <count>', 'how many conversations; 95 of 100 are closed', countIn, 10_000)
    .action((owner: string, { requests }: { requests: number }) => withRecords(() => seed(owner, requests)));
};
