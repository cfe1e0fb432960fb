/** All records of projects as one string, with which tests verify that nothing was written. */
import type { PipelineStage } from 'mongoose';
import { projectModels } from '#shared/database/collection.ts';

/** Not compared: the relay may write to the changes log at any time, and a refused call may use up a ticket number. */
const IGNORED_COLLECTIONS = new Set(['changes', 'counters']);

/** Returns every record of these projects as one string in a fixed order, so that any write changes the string. */
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
