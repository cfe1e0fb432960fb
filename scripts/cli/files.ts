/** `npm run cli -- files …` */
import type { Command } from 'commander';
import { findMissing, findOrphans } from '#shared/domain/files/orphans.ts';
import { recordCliAction } from '#shared/domain/operations/admin-actions.ts';
import { formatCount } from '#shared/format-count.ts';
import { withMongo } from './connections.ts';

const reportOrphans = async ({ delete: deletes = false }: { delete?: boolean }): Promise<void> => {
  if (deletes) await recordCliAction('files orphans --delete');
  let [count, bytes] = [0, 0];
  for await (const { storage, key, size } of findOrphans()) {
    console.log(`without a record  ${storage.name} ${key}`);
    if (deletes) await storage.delete(key);
    count += 1;
    bytes += size;
  }
  let missing = 0;
  for await (const { id_project, path } of findMissing()) {
    console.log(`without bytes     ${id_project} ${path}`);
    missing += 1;
  }
  const orphans = `${formatCount(count, 'file')} without a record ${deletes ? 'deleted' : 'found'}`;
  console.log(`${orphans} (${bytes} bytes), ${formatCount(missing, 'record')} without bytes.`);
};

/** Adds the `files` commands. */
export const addFileCommands = (program: Command): void => {
  program
    .command('files')
    .description('uploaded files')
    .command('orphans')
    .description('list stored files without a record, and records whose bytes are missing')
    .option('--delete', 'delete the files without a record')
    .action((options: { delete?: boolean }) => withMongo(() => reportOrphans(options)));
};
