/**
 * Imports a database of the public server, that is, of the server that clients use before they move to this system
 * (see docs/import.md): records, files, and the values that are derived from them.
 */
import { AppError } from '../../errors.ts';
import { DatabaseImport } from '../../models/database-import.ts';
import { DatabaseImportFault } from '../../models/database-import-fault.ts';
import { RelayState } from '../../models/relay-state.ts';
import { finishProjects } from './finish-projects.ts';
import { FILE_BUCKETS, importFiles } from './import-files.ts';
import { importCollection } from './import-collection.ts';
import type { ImportTable } from './import-table.ts';
import { type CollectionProgress, type ImportFault } from './progress.ts';
import { openSource, type Source } from '../../database/source-database.ts';
import { importTables } from './tables/index.ts';

/** Maximum number of rejected documents in a report. All are stored, except in a dry run. */
const MAX_REPORTED_FAULTS = 1000;

interface ImportOptions {
  /** Converts and checks the documents, and writes nothing. */
  dryRun?: boolean;
  /** Reads all documents again, and adds those that this system does not have. */
  all?: boolean;
  /** Names of collections in the source that differ from the usual names, by the name in this system. */
  names?: Record<string, string>;
  onProgress?(step: string, progress: { done: number; total: number }): void;
}

/** The counts of a collection in the report. */
interface CollectionReport extends Omit<CollectionProgress, '_id' | 'source' | 'collection_name' | 'after'> {
  /** The names of the collection in this system (`name`) and in the source (`source`). */
  name: string;
  source: string;
  /** Fields that are deliberately not imported, with the reason. */
  replaced_fields: Readonly<Record<string, string>>;
}

/** What an import and earlier imports from the same source have done; for a dry run, what an import would do. */
export interface ImportReport {
  /** Hosts and database name of the source, without credentials. */
  source: string;
  dry_run: boolean;
  collections: CollectionReport[];
  /** Collections of the source that have no counterpart in this system, each with its number of documents. */
  without_counterpart: Record<string, number>;
  faults: ImportFault[];
  /** Whether there are more rejected documents than the report contains. */
  more_faults: boolean;
}

const sourceNameOf = (
  { model, sources }: ImportTable,
  source: Source,
  names: Record<string, string>,
): string | undefined => [names[model.modelName] ?? '', ...sources].find((name) => source.collections.includes(name));

const assertPublicServer = ({ collections }: Source): void => {
  if (!collections.includes(RelayState.modelName)) return;
  throw new AppError(422, 'INVALID', 'source: must be a database of the public server, not of this system');
};

const assertNames = (source: Source, names: Record<string, string>): void => {
  for (const [collection, name] of Object.entries(names)) {
    if (!importTables.some(({ model }) => model.modelName === collection))
      throw new AppError(422, 'INVALID', `collection: this system imports no collection named ${collection}`);
    if (!source.collections.includes(name))
      throw new AppError(422, 'INVALID', `collection: the source has no collection named ${name}`);
  }
};

const reportOf = (
  { model: { modelName: name }, replaced = {} }: Pick<ImportTable, 'model' | 'replaced'>,
  source: string,
  counts: CollectionProgress,
): CollectionReport => ({
  name,
  source,
  read: counts.read,
  imported: counts.imported,
  existing: counts.existing,
  expired: counts.expired,
  rejected: counts.rejected,
  dropped_fields: counts.dropped_fields,
  adjusted: counts.adjusted,
  replaced_fields: replaced,
});

const readFaults = async (source: Source): Promise<ImportFault[]> => {
  const progress = await DatabaseImport.find({ source: source.address }, { collection_name: 1 }).lean();
  const nameOf = new Map(progress.map(({ _id, collection_name }) => [_id, collection_name]));
  const found = await DatabaseImportFault.find({ import: { $in: [...nameOf.keys()] } })
    .sort({ import: 1, _id: 1 })
    .limit(MAX_REPORTED_FAULTS + 1)
    .lean();
  return found.map(({ import: owner, record, reason }) => ({ collection: nameOf.get(owner) ?? '', record, reason }));
};

const countWithoutCounterpart = async (source: Source, imported: Set<string>): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const name of source.collections.filter((each) => !imported.has(each))) counts[name] = await source.count(name);
  return counts;
};

const importAll = async (
  source: Source,
  { dryRun = false, all = false, names = {}, onProgress = () => undefined }: ImportOptions,
): Promise<ImportReport> => {
  assertPublicServer(source);
  assertNames(source, names);
  const faults: ImportFault[] = [];
  const onFault = (fault: ImportFault) => void (faults.length > MAX_REPORTED_FAULTS || faults.push(fault));
  const collections: CollectionReport[] = [];
  const known = new Set<string>();
  const common = { source, dryRun, all, onFault };
  for (const table of importTables) {
    const name = sourceNameOf(table, source, names);
    if (name === undefined) continue;
    known.add(name);
    const options = { ...common, name, onProgress: (done: never) => onProgress(name, done) };
    collections.push(reportOf(table, name, await importCollection(table, options)));
  }
  for (const bucket of FILE_BUCKETS.filter((each) => source.collections.includes(`${each}.files`))) {
    for (const part of ['files', 'chunks']) known.add(`${bucket}.${part}`);
    const name = `${bucket}.files`;
    const options = { ...common, name, onProgress: (done: never) => onProgress(name, done) };
    collections.push(reportOf(...(await importFiles(bucket, options))));
  }
  const imported = collections.reduce((sum, one) => sum + one.imported, 0);
  if (!dryRun) await finishProjects(source, imported, (done) => onProgress('counters and analytics', done));
  const reported = dryRun ? faults : await readFaults(source);
  return {
    source: source.address,
    dry_run: dryRun,
    collections,
    without_counterpart: await countWithoutCounterpart(source, known),
    faults: reported.slice(0, MAX_REPORTED_FAULTS),
    more_faults: reported.length > MAX_REPORTED_FAULTS,
  };
};

/**
 * Imports the database with this connection string, or continues an interrupted import. Writes nothing to the source.
 * Errors: 409 if another process is importing from it, 422 for an invalid connection string or option, 503 if the
 * source is unavailable.
 */
export const importDatabase = async (uri: string, options: ImportOptions = {}): Promise<ImportReport> => {
  const source = await openSource(uri);
  try {
    return await importAll(source, options);
  } finally {
    await source.close();
  }
};
