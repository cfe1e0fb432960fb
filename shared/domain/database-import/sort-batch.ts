import { Types } from 'mongoose';
import { findExistingIds } from '../../database/raw-existing.ts';
import { INSTANCE } from '../../models/change.ts';
import { Project } from '../../models/project.ts';
import { currentTimeMs } from '../../time/clock.ts';
import { isId } from '../../wire/view.ts';
import { convertDocument } from './convert-document.ts';
import type { Fields } from './fields.ts';
import type { ImportedDocument, ImportTable, SortedBatch } from './import-table.ts';
import type { CollectionImportOptions } from './progress.ts';
import { rejectDuplicates } from './unique-keys.ts';

/** Rejects documents of projects that exist neither in this system nor, in a dry run, in the source. */
const rejectWithoutProject = async (
  batch: ImportedDocument[],
  { source, dryRun }: CollectionImportOptions,
): Promise<void> => {
  const ids = [...new Set(batch.flatMap(({ record }) => (record.id_project as string | undefined) ?? []))];
  const stored = await Project.find({ _id: { $in: ids.filter(isId) } }, { _id: 1 }).lean();
  const known = new Set([INSTANCE, ...stored.map(({ _id }) => String(_id))]);
  const objectIds = ids.filter((each) => !known.has(each)).map((id) => new Types.ObjectId(id));
  if (dryRun && objectIds.length && source.collections.includes('projects'))
    for (const { _id } of await source.find('projects', { _id: { $in: objectIds } }, { projection: { _id: 1 } }))
      known.add(String(_id));
  for (const document of batch)
    if (!document.rejection && !known.has(document.record.id_project as string))
      document.rejection = 'id_project: the project does not exist';
};

const isExpired = ({ expiresAt }: ImportTable, record: Fields): boolean =>
  (expiresAt?.(record)?.getTime() ?? Number.POSITIVE_INFINITY) <= currentTimeMs();

/** Converts the documents of a batch, and finds those that are not imported. */
export const sortBatch = async (
  table: ImportTable,
  documents: Fields[],
  options: CollectionImportOptions,
): Promise<SortedBatch> => {
  const batch = documents.map((document) => convertDocument(table, document));
  const valid = batch.filter(({ rejection }) => !rejection);
  const current = valid.filter(({ record }) => !isExpired(table, record));
  const known = await findExistingIds(
    table.model,
    current.map(({ record }) => record._id as string),
  );
  const added = current.filter(({ record }) => !known.has(record._id as string));
  if ('id_project' in table.fields.shape) await rejectWithoutProject(added, options);
  await table.complete?.(
    added.filter(({ rejection }) => !rejection),
    options.source,
  );
  await rejectDuplicates(table.model, added);
  return {
    imported: added.filter(({ rejection }) => !rejection),
    rejected: batch.filter(({ rejection }) => rejection),
    existing: known.size,
    expired: valid.length - current.length,
  };
};
