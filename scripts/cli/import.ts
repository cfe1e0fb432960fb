/** `npm run cli -- import <mongodb-uri>` */
import { text } from 'node:stream/consumers';
import { type Command, InvalidArgumentError } from 'commander';
import { loadModels } from '#shared/database/load-models.ts';
import { importDatabase, type ImportReport } from '#shared/domain/database-import/import-database.ts';
import { formatCount } from '#shared/format-count.ts';
import { prepareDatabase } from '#shared/process/boot.ts';
import { withMongo } from './connections.ts';
import { formatTable, printable } from './print.ts';
import { progressPrinter } from './progress.ts';

interface Options {
  dryRun?: boolean;
  all?: boolean;
  json?: boolean;
  collection: Record<string, string>;
}

const COLUMNS = ['read', 'imported', 'existing', 'expired', 'rejected'] as const;
const MAX_PRINTED_FAULTS = 20;

const listCounts = (title: string, counts: Record<string, number>): string[] =>
  Object.keys(counts).length
    ? ['', title, ...Object.entries(counts).map(([name, count]) => `  ${printable(name)}: ${count}`)]
    : [];

const fieldCounts = (report: ImportReport, field: 'dropped_fields' | 'adjusted'): Record<string, number> =>
  Object.fromEntries(
    report.collections.flatMap(({ source, [field]: counts }) =>
      Object.entries(counts).map(([name, count]) => [`${source}, ${name}`, count]),
    ),
  );

const listFaults = ({ faults, more_faults }: ImportReport): string[] => {
  if (!faults.length) return [];
  const printed = faults.slice(0, MAX_PRINTED_FAULTS);
  const isMore = more_faults || faults.length > printed.length;
  return [
    '',
    'Rejected documents:',
    ...printed.map(({ collection, record, reason }) => printable(`  ${collection} ${record}: ${reason}`)),
    ...(isMore
      ? ['  … (--json lists up to 1000; an import stores all of them in the collection database_import_faults)']
      : []),
  ];
};

/** Formats a report as text. */
export const formatReport = (report: ImportReport): string =>
  [
    formatTable([
      ['collection', 'source', ...COLUMNS],
      ...report.collections.map((one) => [one.name, one.source, ...COLUMNS.map((column) => one[column])]),
    ]),
    ...listCounts('Replaced values, with the number of replacements:', fieldCounts(report, 'adjusted')),
    ...listCounts('Fields that are not imported, with the number of documents:', fieldCounts(report, 'dropped_fields')),
    ...listCounts('Collections without a counterpart, with the number of documents:', report.without_counterpart),
    ...listFaults(report),
    '',
    report.dry_run
      ? 'Nothing was written, because this was a dry run.'
      : `Imported ${formatCount(
          report.collections.reduce((sum, { imported }) => sum + imported, 0),
          'record',
        )} from ${report.source}.`,
  ].join('\n');

const stepPrinter = () => {
  let step = '';
  let print: ReturnType<typeof progressPrinter>;
  return (name: string, progress: { done: number; total: number }): void => {
    if (name !== step) {
      if (step && process.stderr.isTTY) process.stderr.write('\n');
      [step, print] = [name, progressPrinter(name, process.stderr)];
    }
    print(progress);
  };
};

const runImport = async (source: string, { json, collection: names, ...options }: Options): Promise<void> => {
  const uri = source === '-' ? (await text(process.stdin)).trim() : source;
  await (options.dryRun ? loadModels() : prepareDatabase());
  const report = await importDatabase(uri, { ...options, names, onProgress: stepPrinter() });
  console.log(json ? JSON.stringify(report, null, 2) : formatReport(report));
  if (report.faults.length) process.exitCode = 1;
};

const addName = (value: string, names: Record<string, string>): Record<string, string> => {
  const [, own, name] = /^([^=]+)=(.+)$/.exec(value) ?? [];
  if (!own || !name) throw new InvalidArgumentError('must be <collection>=<name in the source>');
  return { ...names, [own]: name };
};

/** Adds the `import` command. */
export const addImportCommand = (program: Command): void => {
  program
    .command('import <mongodb-uri>')
    .description(
      'import the MongoDB database of the server that your clients use now (docs/import.md): the source is only read, and existing records stay as they are; run the command again to resume an interrupted import; pass - to read the URI from standard input',
    )
    .option('--dry-run', 'convert and check all documents, and write nothing')
    .option('--all', 'read documents of earlier imports again, and add those that do not exist here')
    .option('--json', 'print the report as JSON')
    .option('--collection <name=source>', 'a collection that has another name in the source', addName, {})
    .action((uri: string, options: Options) => withMongo(() => runImport(uri, options)));
};
