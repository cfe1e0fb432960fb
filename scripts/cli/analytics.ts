/** `npm run cli -- analytics …` */
import type { Command } from 'commander';
import { rebuild, type RebuildResult, type ReportProgress } from '#shared/domain/analytics/rebuild.ts';
import { AppError } from '#shared/errors.ts';
import { Project } from '#shared/models/project.ts';
import { isId } from '#shared/wire/view.ts';
import { withMongo } from './connections.ts';
import { formatCount } from './print.ts';

const BAR_WIDTH = 40;
const PERCENT_PER_LINE = 10;

/** Shows progress as a bar on a terminal, elsewhere as a line for every ten percent. */
const progressPrinter = (name: string): ReportProgress => {
  let shownPercent = -1;
  return ({ done, total }) => {
    const percent = total ? Math.floor((done / total) * 100) : 100;
    if (percent === shownPercent) return;
    if (process.stdout.isTTY) {
      const filled = Math.round((percent / 100) * BAR_WIDTH);
      process.stdout.write(`\r${name} [${'#'.repeat(filled)}${' '.repeat(BAR_WIDTH - filled)}] ${percent} %`);
      shownPercent = percent;
    } else if (percent >= shownPercent + PERCENT_PER_LINE || shownPercent < 0) {
      console.log(`${name}: ${percent} %`);
      shownPercent = percent;
    }
  };
};

const describe = ({ records, rows }: RebuildResult, dryRun: boolean): string => {
  if (!records && !rows) return 'The rollups equal the records.';
  const differences = `${formatCount(records, 'record')} and ${formatCount(rows, 'row')}`;
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
      'compare the rollups of a project, by default of all, with the records and correct them while the system runs; an interrupted rebuild continues',
    )
    .option('--dry-run', 'only compare; the exit code is 1 if they differ')
    .action((project: string | undefined, { dryRun = false }: { dryRun?: boolean }) =>
      withMongo(() => rebuildAll(project, dryRun)),
    );
};
