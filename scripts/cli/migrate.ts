/** `npm run cli -- migrate …` */
import type { Command } from 'commander';
import { recordCliAction } from '#shared/domain/operations/admin-actions.ts';
import { formatCount } from '#shared/format-count.ts';
import { migrations } from '#shared/migrations/index.ts';
import { findUndoable, readMigrationStates, undoLastMigration } from '#shared/migrations/migrate.ts';
import { prepareDatabase } from '#shared/process/boot.ts';
import { withMongo } from './connections.ts';
import { formatTable } from './print.ts';

const printStatus = async ({ json }: { json?: true }): Promise<void> => {
  const states = await readMigrationStates(migrations);
  if (json) return console.log(JSON.stringify({ migrations: states }, null, 2));
  const rows = states.map(({ name, isDone, isReversible }) => [
    ...[name, isDone ? 'done' : 'pending', isReversible ? '' : 'cannot be undone'],
  ]);
  console.log(formatTable([['migration', 'state', ''], ...rows]));
};

const runPending = async ({ dryRun }: { dryRun?: true }): Promise<void> => {
  const pending = (await readMigrationStates(migrations)).filter(({ isDone }) => !isDone);
  for (const { name } of pending) console.log(name);
  if (!dryRun) {
    await recordCliAction('migrate up', pending.map(({ name }) => name).join(', ') || 'nothing was pending');
    await prepareDatabase();
  }
  console.log(`${formatCount(pending.length, 'migration')} ${dryRun ? 'would run' : 'ran'}.`);
};

const undoLast = async ({ dryRun }: { dryRun?: true }): Promise<void> => {
  const name = await findUndoable(migrations);
  if (dryRun) return console.log(`${name} would be undone.`);
  await recordCliAction('migrate down', name);
  console.log(
    `${await undoLastMigration(migrations)} undone. The next start of a process of this version will run it again.`,
  );
};

/** Adds the `migrate` commands. */
export const addMigrateCommands = (program: Command): void => {
  const command = program.command('migrate').description('changes to stored records between versions');
  command
    .command('status')
    .description('list the migrations of this version, and whether they have run')
    .option('--json', 'print JSON')
    .action((options: { json?: true }) => withMongo(() => printStatus(options)));
  command
    .command('up')
    .description('create missing indexes and run pending migrations, as an API or worker process does when it starts')
    .option('--dry-run', 'only list what would run')
    .action((options: { dryRun?: true }) => withMongo(() => runPending(options)));
  command
    .command('down')
    .description('undo the last migration, before or after a return to the previous version')
    .option('--dry-run', 'only name what would be undone')
    .action((options: { dryRun?: true }) => withMongo(() => undoLast(options)));
};
