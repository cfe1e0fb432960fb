/** `npm run cli -- backup …` */
import type { Command } from 'commander';
import { createBackup } from '#shared/domain/backup/create-backup.ts';
import type { CollectionResult } from '#shared/domain/backup/verify-backup.ts';
import { verifyBackup } from '#shared/domain/backup/verify-backup.ts';
import { restoreBackup } from '#shared/domain/backup/restore-backup.ts';
import { formatCount } from '#shared/format-count.ts';
import { withMongo } from './connections.ts';
import { formatTable, printable } from './print.ts';
import { partPrinter } from './progress.ts';

interface OutputOptions {
  json?: boolean;
}

/** Shows progress, unless the command prints JSON. */
const progressOf = ({ json }: OutputOptions) => (json ? () => undefined : partPrinter());

const printResult = (result: object, text: string, { json }: OutputOptions): void =>
  console.log(json ? JSON.stringify(result, null, 2) : text);

const create = async (folder: string, options: OutputOptions & { snapshot: boolean }): Promise<void> => {
  const { manifest, damaged } = await createBackup(folder, { ...options, onProgress: progressOf(options) });
  const { collections, files, snapshot } = manifest;
  const documents = collections.reduce((sum, { documents: count }) => sum + count, 0);
  const time = snapshot ? `all as of ${snapshot}` : 'read without a snapshot, so possibly from different times';
  const lines = [
    `${formatCount(documents, 'document')} in ${formatCount(collections.length, 'collection')}, ${time}.`,
    `${formatCount(files.count, 'file')}, ${files.bytes} bytes.`,
    ...files.missing.map((key) => `Without bytes in any storage: ${printable(key)}`),
    ...damaged.map((key) => `Differs from the hash in its record: ${printable(key)}`),
    'Store the settings JWT_SECRET and SECRETS_KEY (or the file jwt-secret in DATA_DIR) in another place.',
  ];
  printResult({ ...manifest, damaged }, lines.join('\n'), options);
};

const describe = ({ differences }: CollectionResult): string => {
  if (!differences) return 'equal';
  const { examples, ...counts } = differences;
  const parts = Object.entries(counts).flatMap(([kind, count]) => (count ? [`${count} ${kind}`] : []));
  return [parts.join(', ') || 'equal', ...examples.map(printable)].join('  ');
};

const verify = async (folder: string, options: OutputOptions & { backupOnly?: boolean }): Promise<void> => {
  const { backupOnly = false } = options;
  const result = await verifyBackup(folder, { backupOnly, onProgress: progressOf(options) });
  const rows = result.collections.map((each) => [each.name, each.documents, describe(each)]);
  const lines = [
    ...(rows.length ? [formatTable([['collection', 'documents', 'comparison'], ...rows])] : []),
    ...result.damaged.map(({ name, problem }) => `Backup  ${printable(name)}: ${problem}`),
    ...result.files.map(({ name, problem }) => `File  ${printable(name)}: ${problem}`),
    result.isEqual ? 'Verified: no differences.' : 'There are differences.',
  ];
  printResult(result, lines.join('\n'), options);
  if (!result.isEqual) process.exitCode = 1;
};

const restore = async (folder: string, options: OutputOptions & { force?: boolean }): Promise<void> => {
  const { force: isForced = false } = options;
  const { manifest, hasSecretsKey } = await restoreBackup(folder, { isForced, onProgress: progressOf(options) });
  const lines = [
    `Restored the backup of ${manifest.createdAt}: ${formatCount(manifest.collections.length, 'collection')}, ${formatCount(manifest.files.count, 'file')}.`,
    ...(hasSecretsKey
      ? []
      : [
          'To read the stored passwords and keys of other systems, set the SECRETS_KEY (or JWT_SECRET) of the backed-up system.',
        ]),
    'Run backup verify, then start the system. The workers will rebuild the index of the knowledge bases.',
  ];
  printResult({ backup: manifest.id, hasSecretsKey }, lines.join('\n'), options);
};

/** Adds the `backup` commands. */
export const addBackupCommands = (program: Command): void => {
  const backup = program.command('backup').description('backups of the database and of the stored files');
  backup
    .command('create <folder>')
    .description('copy all collections, at one cluster time, and all stored files into an empty folder')
    .option('--no-snapshot', 'do not read all collections at one cluster time; stop the API and the workers first')
    .option('--json', 'print the result as JSON')
    .action((folder: string, options: OutputOptions & { snapshot: boolean }) =>
      withMongo(() => create(folder, options)),
    );
  backup
    .command('verify <folder>')
    .description('verify a backup, and compare the database and the stored files with it')
    .option('--backup-only', 'only verify the backup')
    .option('--json', 'print the result as JSON')
    .action((folder: string, options: OutputOptions & { backupOnly?: boolean }) =>
      options.backupOnly ? verify(folder, options) : withMongo(() => verify(folder, options)),
    );
  backup
    .command('restore <folder>')
    .description(
      'restore a backup into an empty database, while no other process is running; run the command again to resume',
    )
    .option('--force', 'delete everything in the database first')
    .option('--json', 'print the result as JSON')
    .action((folder: string, options: OutputOptions & { force?: boolean }) =>
      withMongo(() => restore(folder, options)),
    );
};
