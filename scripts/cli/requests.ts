/** `npm run cli -- requests …` */
import type { Command } from 'commander';
import { rebuild } from '#shared/domain/conversations/counters.ts';
import { AppError } from '#shared/errors.ts';
import { formatCount } from '#shared/format-count.ts';
import { Project } from '#shared/models/project.ts';
import { isId } from '#shared/wire/view.ts';
import { withMongo } from './connections.ts';

const recountProject = async (project: string): Promise<void> => {
  if (!isId(project) || !(await Project.exists({ _id: project })))
    throw new AppError(404, 'NOT_FOUND', `There is no project with the id ${project}`);
  const corrected = await rebuild(project);
  console.log(corrected ? `Corrected ${formatCount(corrected, 'counter')}.` : 'All counters were correct.');
};

/** Adds the `requests` commands. */
export const addRequestCommands = (program: Command): void => {
  program
    .command('requests')
    .description('conversations')
    .command('recount <project>')
    .description("recount a project's conversations and correct its counters; the system may be running")
    .action((project: string) => withMongo(() => recountProject(project)));
};
