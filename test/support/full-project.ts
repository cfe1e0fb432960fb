/**
 * Fills every collection of a project, and counts the records in each. Records are derived from the models, so new
 * models are included.
 */
import { randomUUID } from 'node:crypto';
import { Types } from 'mongoose';
import { projectModels } from '#shared/database/collection.ts';
import { indexSpaceOf } from '#shared/domain/knowledge/indexing/chunks.ts';
import { chunkIndex } from '#shared/vectors/index.ts';
import { aRow } from './chunk-rows.ts';
import { random } from './seeded-random.ts';

const DAY_MS = 86_400_000;

const VALUE_OF_TYPE: Record<string, () => unknown> = {
  String: randomUUID,
  Number: random,
  // In the future, so that no record is due or expired. All times differ, because a unique index may include one.
  Date: () => new Date(Date.now() + DAY_MS + Math.floor(random() * DAY_MS)),
  ObjectId: () => new Types.ObjectId(),
};

type Model = ReturnType<typeof projectModels>[number];

/** The models of the product. Models of tests are omitted, because a worker process does not know them. */
const productModels = () => projectModels().filter(({ modelName }) => !modelName.startsWith('test_'));

const fillablePaths = (model: Model) =>
  Object.entries(model.schema.paths).filter(
    ([path, { instance }]) => !/^__v$|\.|^_events$/.test(path) && instance in VALUE_OF_TYPE,
  );

/** Whether a project has at most one record of the model. */
const isSingleton = ({ schema }: Model): boolean =>
  schema.indexes().some(([keys, { unique }]) => unique && Object.keys(keys).join() === 'id_project');

/**
 * Inserts `count` records of the project into each of its collections, or one record if the project has at most one.
 * Returns the number of inserted records by collection.
 */
export const fillCollections = async (id_project: string, count: number): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const model of productModels()) {
    const paths = fillablePaths(model);
    const aRecord = () => ({
      ...Object.fromEntries(paths.map(([path, { instance }]) => [path, VALUE_OF_TYPE[instance]?.()])),
      id_project,
    });
    const records = Array.from({ length: isSingleton(model) ? 1 : count }, () => ({
      insertOne: { document: aRecord() },
    }));
    await model.bulkWrite(records as never, { skipValidation: true, ordered: false } as never);
    counts[model.modelName] = records.length;
  }
  return counts;
};

const defaultSpace = (id_project: string) => indexSpaceOf({ id_project, namespace: id_project });

/** Adds two chunks of the project to the chunk index. */
export const fillIndex = (id_project: string): Promise<void> =>
  chunkIndex().add(defaultSpace(id_project), [aRow('one'), aRow('two')]);

/** The number of chunks of the project in the index. */
export const countIndex = async (id_project: string): Promise<number> => {
  let count = 0;
  for await (const _ of chunkIndex().entries(defaultSpace(id_project))) count += 1;
  return count;
};

/** The number of records of the project in each collection. */
export const countCollections = async (id_project: string): Promise<Record<string, number>> => {
  const counts = productModels().map(async (model) => [model.modelName, await model.countDocuments({ id_project })]);
  return Object.fromEntries(await Promise.all(counts));
};

/** The counts of an empty project: the same collections, all zero. */
export const zeroCounts = (counts: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.keys(counts).map((name) => [name, 0]));
