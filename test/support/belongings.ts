/** Something in every place where a project has anything, made from the models, so that a new one is covered by being there. */
import { randomUUID } from 'node:crypto';
import { Types } from 'mongoose';
import { spaceOf } from '#shared/domain/knowledge/chunks.ts';
import { projectModels } from '#shared/mongo.ts';
import { chunkIndex } from '#shared/vectors/index.ts';
import { aRow } from './chunk-rows.ts';

const DAY_MS = 86_400_000;

const VALUES: Record<string, () => unknown> = {
  String: randomUUID,
  Number: () => Math.random(),
  Date: () => new Date(Date.now() + DAY_MS), // nothing that is due, or has expired
  ObjectId: () => new Types.ObjectId(),
};

type Model = ReturnType<typeof projectModels>[number];

/** The product's; those of other tests are not known to a worker of its own process. */
const ownModels = () => projectModels().filter(({ modelName }) => !modelName.startsWith('test_'));

const plainPaths = (model: Model) =>
  Object.entries(model.schema.paths).filter(
    ([path, { instance }]) => !/^__v$|\.|^_events$/.test(path) && instance in VALUES,
  );

/** True where a project has at most one record. */
const holdsOne = ({ schema }: Model): boolean =>
  schema.indexes().some(([keys, { unique }]) => unique && Object.keys(keys).join() === 'id_project');

/** Put so many records of the project, with whatever values, into each of its collections, and tell how many: one where it has only one. */
export const fillCollections = async (id_project: string, count: number): Promise<Record<string, number>> => {
  const filled: Record<string, number> = {};
  for (const model of ownModels()) {
    const paths = plainPaths(model);
    const aRecord = () => ({
      ...Object.fromEntries(paths.map(([path, { instance }]) => [path, VALUES[instance]?.()])),
      id_project,
    });
    const records = Array.from({ length: holdsOne(model) ? 1 : count }, () => ({ insertOne: { document: aRecord() } }));
    await model.bulkWrite(records as never, { skipValidation: true, ordered: false } as never);
    filled[model.modelName] = records.length;
  }
  return filled;
};

const spaceIn = (id_project: string) => spaceOf({ id_project, namespace: id_project });

/** Put some passages of the project into the index of chunks. */
export const fillIndex = (id_project: string): Promise<void> =>
  chunkIndex().add(spaceIn(id_project), [aRow('one'), aRow('two')]);

/** How many passages of the project the index has. */
export const countIndex = async (id_project: string): Promise<number> => {
  let count = 0;
  for await (const _ of chunkIndex().ids(spaceIn(id_project))) count += 1;
  return count;
};

/** How many records of the project each collection has. */
export const countCollections = async (id_project: string): Promise<Record<string, number>> => {
  const counts = ownModels().map(async (model) => [model.modelName, await model.countDocuments({ id_project })]);
  return Object.fromEntries(await Promise.all(counts));
};

/** The same counts, all of them zero. */
export const noneOf = (counts: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.keys(counts).map((name) => [name, 0]));
