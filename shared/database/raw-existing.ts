/** Looks up records of all projects by their ids or by the values of unique keys. */
import { type Collection, Types } from 'mongoose';

type Fields = Record<string, unknown>;

/** The part of a model that the lookups need. */
interface ReadableModel {
  collection: Collection;
}

/** Returns the ids for which a record exists. */
export const findExistingIds = async ({ collection }: ReadableModel, ids: string[]): Promise<Set<string>> => {
  const _id = { $in: ids.map((id) => new Types.ObjectId(id)) };
  const found = await collection.find({ _id }, { projection: { _id: 1 } }).toArray();
  return new Set(found.map(({ _id: id }) => String(id)));
};

/**
 * Finds the records that have, in each field named in `values`, one of the values listed for this field. Returns their
 * ids and these fields.
 */
export const findByValues = async (
  { collection }: ReadableModel,
  values: Record<string, unknown[]>,
): Promise<(Fields & { _id: unknown })[]> => {
  const filter = Object.entries(values).map(([path, allowed]) => ({ [path]: { $in: allowed } }));
  const projection = Object.fromEntries(Object.keys(values).map((path) => [path, 1]));
  return collection.find({ $and: filter }, { projection }).toArray();
};
