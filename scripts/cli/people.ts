/** `npm run cli -- people …` */
import type { Command } from 'commander';
import { type Erasure, erasePerson } from '#shared/domain/people/erase-person.ts';
import { exportPerson } from '#shared/domain/people/export-person.ts';
import { loadModels } from '#shared/database/load-models.ts';
import { withMongo, withQueues } from './connections.ts';
import { formatTable } from './print.ts';
import { progressPrinter } from './progress.ts';

interface CommonOptions {
  project?: string;
  json?: boolean;
}

interface EraseOptions extends CommonOptions {
  dryRun?: boolean;
  closeProjects?: boolean;
}

const progressOf = (name: string, { json }: CommonOptions) => {
  const print = progressPrinter(name);
  return (progress: { done: number; total: number }): void => {
    if (json) return;
    print(progress);
    if (process.stdout.isTTY && progress.done === progress.total) process.stdout.write('\n');
  };
};

const describeErasure = ({ report, closedProjects, isComplete }: Erasure, isDryRun: boolean): string => {
  const rows = Object.entries(report).map(([name, { deleted, redacted, reported }]) => [
    ...[name, deleted, redacted, reported],
  ]);
  const mentions = Object.entries(report).flatMap(([name, { ids }]) => ids.map((id) => `${name} ${id}`));
  return [
    ...(rows.length ? [formatTable([['where', 'deleted', 'redacted', 'reported'], ...rows])] : ['Nothing was found.']),
    ...closedProjects.map(
      (id) => `Project ${id} ${isDryRun ? 'would be' : 'is'} closed: the account is its only owner.`,
    ),
    ...(mentions.length
      ? ['The team has written these records about the person; edit or delete them:', ...mentions]
      : []),
    ...(isComplete
      ? []
      : ['No worker has relayed the events of the erasure. Start the workers, then run the command again.']),
  ].join('\n');
};

const erase = async (text: string, options: EraseOptions): Promise<void> => {
  const { dryRun = false, closeProjects: closesProjects = false, project, json } = options;
  await loadModels();
  const onProgress = progressOf('Collections', options);
  const erasure = await erasePerson(text, { dryRun, closesProjects, onProgress, ...(project && { project }) });
  console.log(json ? JSON.stringify(erasure, null, 2) : describeErasure(erasure, dryRun));
  if (!erasure.isComplete) process.exitCode = 1;
};

const exportTo = async (text: string, folder: string, options: CommonOptions): Promise<void> => {
  await loadModels();
  const { project, json } = options;
  const onProgress = progressOf('Collections', options);
  const { counts, files } = await exportPerson(text, folder, { onProgress, ...(project && { project }) });
  const rows = Object.entries({ ...counts, 'exported files': files });
  console.log(json ? JSON.stringify({ counts, files }, null, 2) : formatTable([['collection', 'records'], ...rows]));
};

const PERSON = 'an email address, the id of an account, or the id or lead_id of a lead';

/** Adds the `people` commands. */
export const addPeopleCommands = (program: Command): void => {
  const people = program.command('people').description("export and erasure of a person's data");
  people
    .command('export <person> <folder>')
    .description(`write the records and files of a person into an empty folder; <person>: ${PERSON}`)
    .option('--project <id>', 'limit to this project')
    .option('--json', 'print the counts as JSON')
    .action((text: string, folder: string, options: CommonOptions) => withMongo(() => exportTo(text, folder, options)));
  people
    .command('erase <person>')
    .description(`delete or redact everything about a person; run the command again to resume; <person>: ${PERSON}`)
    .option('--project <id>', 'limit to this project; an account is not deleted')
    .option('--dry-run', 'only count what would be erased')
    .option('--close-projects', 'close the projects of which the account is the only owner')
    .option('--json', 'print the report as JSON')
    .action((text: string, options: EraseOptions) => withMongo(() => withQueues(() => erase(text, options))));
};
