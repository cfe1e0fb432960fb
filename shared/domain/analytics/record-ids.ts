/** Lists the ids of a collection's records in ascending order. */
import { type Collection, type Schema, Types } from 'mongoose';
import { readDocuments } from '../../database/raw-documents.ts';

/** The part of a model that `readIds` uses. */
interface ListedModel {
  modelName: string;
  schema: object;
  collection: Collection;
}

/** The ids to list: those after the id `after`, or those in `ids` that exist. */
interface Page {
  after?: string;
  ids?: string[];
  limit: number;
}

/** Returns the ids of the matching records, in ascending order. */
export const readIds = async (
  model: ListedModel,
  filter: { id_project: string },
  { after, ids, limit }: Page,
): Promise<string[]> => {
  const isText = (model.schema as Schema).path('_id').instance === 'String';
  const toId = (id: string) => (isText ? id : new Types.ObjectId(id));
  const condition = { ...(after && { $gt: toId(after) }), ...(ids && { $in: ids.map(toId) }) };
  const matching = { ...filter, ...(Object.keys(condition).length && { _id: condition }) };
  const found = readDocuments<{ _id: unknown }>(model, matching, { fields: ['_id'], sort: { _id: 1 }, limit });
  return (await found.toArray()).map(({ _id }) => String(_id));
};
