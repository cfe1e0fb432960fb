/** All records of projects as one text. */
import type { PipelineStage } from 'mongoose';
import { projectModels } from '#shared/database/collection.ts';

/** Excluded: the log follows later, and ticket numbers may have gaps. */
const IGNORED_COLLECTIONS = new Set(['changes', 'counters']);

/** Every record of these projects as one text in a fixed order: any write changes it. */
export const databaseDigest = async (...projects: string[]): Promise<string> => {
  const ours = { $match: { id_project: { $in: projects } } };
  const [first, ...others] = projectModels().filter(
    ({ modelName }) => !IGNORED_COLLECTIONS.has(modelName) && !modelName.startsWith('test_'),
  );
  const named = (coll: string) => ({ $set: { in: coll } });
  const unions = others.map(({ modelName }) => ({
    $unionWith: { coll: modelName, pipeline: [ours, named(modelName)] },
  }));
  const stages = [ours, named(first?.modelName ?? ''), ...unions, { $sort: { in: 1, _id: 1 } }] as PipelineStage[];
  const records = await first?.aggregate(stages).option({ allowDiskUse: true });
  return JSON.stringify(records);
};
