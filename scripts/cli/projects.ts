/** `npm run cli -- projects …` */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import {
  countProjectData,
  deleteProjectData,
  EVENT_DELAY_MS,
  readRemoval,
  remove,
} from '#shared/domain/projects/project-removal.ts';
import { AppError } from '#shared/errors.ts';
import { Project } from '#shared/models/project.ts';
import { loadModels } from '#shared/database/load-models.ts';
import { isId } from '#shared/wire/view.ts';
import { withMongoAndIndex, withQueues } from './connections.ts';
import { formatTable } from './print.ts';

interface EraseOptions {
  dryRun?: boolean;
  json?: boolean;
}

const isKnown = async (id: string): Promise<boolean> =>
  isId(id) && Boolean((await Project.exists({ _id: id })) ?? (await readRemoval(id)));

/** Erases the project, or continues an interrupted erasure. Returns the number of deleted records by collection. */
const eraseNow = async (id: string): Promise<Record<string, number>> => {
  if (await Project.exists({ _id: id })) await remove(id, 'npm run cli');
  await sleep(EVENT_DELAY_MS);
  await deleteProjectData(id);
  return (await readRemoval(id))?.removed as Record<string, number>;
};

const erase = async (id: string, { dryRun = false, json }: EraseOptions): Promise<void> => {
  await loadModels();
  if (!(await isKnown(id))) throw new AppError(404, 'NOT_FOUND', `There is no project with the id ${id}`);
  const counts = dryRun ? await countProjectData(id) : await eraseNow(id);
  if (json) return console.log(JSON.stringify(counts, null, 2));
  console.log(formatTable([['collection', dryRun ? 'records' : 'deleted'], ...Object.entries(counts)]));
  if (!dryRun) console.log('A worker will later delete the records that other processes wrote during the erasure.');
};

/** Adds the `projects` commands. */
export const addProjectCommands = (program: Command): void => {
  program
    .command('projects')
    .description('projects')
    .command('erase <project>')
    .description('delete a project with all its records, files and indexed chunks; run the command again to resume')
    .option('--dry-run', 'only count the records')
    .option('--json', 'print the counts as JSON')
    .action((id: string, options: EraseOptions) => withMongoAndIndex(() => withQueues(() => erase(id, options))));
};
