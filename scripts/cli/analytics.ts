/** `npm run cli -- analytics …` */
import type { Command } from 'commander';
import { rebuild, type RebuildResult } from '#shared/domain/analytics/rebuild.ts';
import { AppError } from '#shared/errors.ts';
import { formatCount } from '#shared/format-count.ts';
import { Project } from '#shared/models/project.ts';
import { isId } from '#shared/wire/view.ts';
import { withMongo } from './connections.ts';
import { progressPrinter } from './progress.ts';

const describe = ({ records, rows }: RebuildResult, dryRun: boolean): string => {
  if (!records && !rows) return 'The rollups match the records.';
  const differences = `${formatCount(records, 'record')} and ${formatCount(rows, 'rollup row')}`;
  return dryRun ? `${differences} differ; run the command without --dry-run.` : `Corrected ${differences}.`;
};

const findProjects = async (project?: string): Promise<string[]> => {
  if (!project) return (await Project.find({}, { _id: 1 }).sort({ _id: 1 }).lean()).map(({ _id }) => String(_id));
  if (isId(project) && (await Project.exists({ _id: project }))) return [project];
  throw new AppError(404, 'NOT_FOUND', `There is no project with the id ${project}`);
};

const rebuildAll = async (project: string | undefined, dryRun: boolean): Promise<void> => {
  for (const id of await findProjects(project)) {
    const result = await rebuild(id, { dryRun, onProgress: progressPrinter(id) });
    if (process.stdout.isTTY) process.stdout.write('\n');
    console.log(`${id}: ${describe(result, dryRun)}`);
    if (dryRun && (result.records || result.rows)) process.exitCode = 1;
  }
};

/** Adds the `analytics` commands. */
export const addAnalyticsCommands = (program: Command): void => {
  program
    .command('analytics')
    .description('the rollups from which analytics are read')
    .command('rebuild [project]')
    .description(
      'compare the rollups of a project (default: all projects) with the records and correct the rollups; the system may be running; run the command again to resume an interrupted rebuild',
    )
    .option('--dry-run', 'only compare; exit with code 1 if the rollups differ')
    .action((project: string | undefined, { dryRun = false }: { dryRun?: boolean }) =>
      withMongo(() => rebuildAll(project, dryRun)),
    );
};
