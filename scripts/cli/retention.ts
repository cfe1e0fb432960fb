/** `npm run cli -- retention …` */
import type { Command } from 'commander';
import { applyRetention } from '#shared/domain/retention/apply-retention.ts';
import { retentionTimes } from '#shared/domain/retention/retention-times.ts';
import { loadModels } from '#shared/database/load-models.ts';
import { formatCount } from '#shared/format-count.ts';
import { withMongo, withQueues } from './connections.ts';
import { formatTable } from './print.ts';

const DAY_SECONDS = 86_400;

const listTimes = async (): Promise<void> => {
  await loadModels();
  const rows = retentionTimes().map(({ name, field, seconds, setting }) => [
    ...[name, field, Number((seconds / DAY_SECONDS).toFixed(2)), setting ?? ''],
  ]);
  console.log(formatTable([['collection', 'counted from', 'days', 'setting'], ...rows]));
};

const apply = async ({ dryRun = false, json }: { dryRun?: boolean; json?: boolean }): Promise<void> => {
  const counts = await applyRetention(dryRun);
  if (json) return console.log(JSON.stringify({ conversations: counts }));
  if (!counts) return console.log('Closed conversations are kept, because CONVERSATION_RETENTION_SECONDS is not set.');
  for (const [project, count] of Object.entries(counts))
    console.log(`${project}  ${formatCount(count, 'conversation')}`);
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  console.log(`${formatCount(total, 'conversation')} ${dryRun ? 'would be deleted' : 'deleted'}.`);
};

/** Adds the `retention` commands. */
export const addRetentionCommands = (program: Command): void => {
  const retention = program.command('retention').description('how long records are kept');
  retention
    .command('list')
    .description('list the collections whose records MongoDB deletes after a time')
    .action(listTimes);
  retention
    .command('apply')
    .description('delete closed conversations whose retention time (CONVERSATION_RETENTION_SECONDS) has ended')
    .option('--dry-run', 'only count what would be deleted')
    .option('--json', 'print the counts as JSON')
    .action((options: { dryRun?: boolean; json?: boolean }) => withMongo(() => withQueues(() => apply(options))));
};
