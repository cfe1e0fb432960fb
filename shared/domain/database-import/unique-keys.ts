/** Rejects, before a batch is inserted, the documents whose unique keys belong to other records. */
import { findByValues } from '../../database/raw-existing.ts';
import type { Fields } from './fields.ts';
import type { ImportedDocument, ImportedModel } from './import-table.ts';

interface UniqueKey {
  paths: string[];
  /** Paths that a record must have to be in the unique index. */
  required: string[];
}

/** Returns the unique keys of a model, as its indexes declare them. */
const uniqueKeysOf = ({ schema }: ImportedModel): UniqueKey[] =>
  schema.indexes().flatMap(([paths, options]) => {
    const { unique, partialFilterExpression: condition = {} } = options as {
      unique?: boolean;
      partialFilterExpression?: Fields;
    };
    return unique ? [{ paths: Object.keys(paths), required: Object.keys(condition) }] : [];
  });

const valueAt = (record: Fields, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (value as Fields | undefined)?.[key], record);

const keyOf = (record: Fields, { paths, required }: UniqueKey): string | undefined =>
  required.every((path) => valueAt(record, path) !== undefined)
    ? JSON.stringify(paths.map((path) => valueAt(record, path) ?? null))
    : undefined;

/** Returns the ids of the records that already own the keys of the given records, by key. */
const findOwners = async (model: ImportedModel, key: UniqueKey, records: Fields[]): Promise<Map<string, string>> => {
  const valuesOf = (path: string) => [...new Set(records.map((record) => valueAt(record, path)))];
  const found = await findByValues(model, Object.fromEntries(key.paths.map((path) => [path, valuesOf(path)])));
  return new Map(found.map((record) => [keyOf(record, key) ?? '', String(record._id)]));
};

const rejectTakenKeys = async (model: ImportedModel, key: UniqueKey, batch: ImportedDocument[]): Promise<void> => {
  const keyed = batch.filter(({ record, rejection }) => !rejection && keyOf(record, key) !== undefined);
  if (!keyed.length) return;
  const owners = await findOwners(
    model,
    key,
    keyed.map(({ record }) => record),
  );
  for (const document of keyed) {
    const ownKey = keyOf(document.record, key) ?? '';
    const owner = owners.get(ownKey);
    if (owner && owner !== document.id) document.rejection = `${key.paths.join(' and ')}: same as in record ${owner}`;
    else owners.set(ownKey, document.id);
  }
};

/** Rejects documents whose unique keys another record has. If documents of a batch share a key, the first is kept. */
export const rejectDuplicates = async (model: ImportedModel, batch: ImportedDocument[]): Promise<void> => {
  for (const key of uniqueKeysOf(model)) await rejectTakenKeys(model, key, batch);
};
