/** `npm run cli -- requests …` */
import type { Command } from 'commander';
import { recount } from '#shared/domain/conversations/tallies.ts';
import { AppError } from '#shared/errors.ts';
import { Project } from '#shared/models/project.ts';
import { isId } from '#shared/view.ts';
import { many } from './print.ts';
import { withRecords } from './services.ts';

const recountOne = async (project: string): Promise<void> => {
  if (!isId(project) || !(await Project.exists({ _id: project })))
    throw new AppError(404, 'NOT_FOUND', 'There is no such project.');
  const wrong = await recount(project);
  console.log(wrong ? `Made right: ${many(wrong, 'figure')}.` : 'Every figure was right.');
};

/** What can be done to conversations. */
export const addRequests = (program: Command): void => {
  program
    .command('requests')
    .description('conversations')
    .command('recount <project>')
    .description("count a project's conversations and make its tallies right, while they go on")
    .action((project: string) => withRecords(() => recountOne(project)));
};
