/** All that projects have, as it is stored. */
import type { PipelineStage } from 'mongoose';
import { projectModels } from '#shared/mongo.ts';

/** The log follows a little later, and numbers of tickets may have gaps. */
const NOT_COUNTED = new Set(['changes', 'counters']);

/** Every record of these projects as one text, in one order: whatever is written to them shows in it. */
export const digest = async (...projects: string[]): Promise<string> => {
  const ours = { $match: { id_project: { $in: projects } } };
  const [first, ...others] = projectModels().filter(
    ({ modelName }) => !NOT_COUNTED.has(modelName) && !modelName.startsWith('test_'),
  );
  const named = (coll: string) => ({ $set: { in: coll } });
  const unions = others.map(({ modelName }) => ({
    $unionWith: { coll: modelName, pipeline: [ours, named(modelName)] },
  }));
  const stages = [ours, named(first?.modelName ?? ''), ...unions, { $sort: { in: 1, _id: 1 } }] as PipelineStage[];
  const records = await first?.aggregate(stages).option({ allowDiskUse: true });
  return JSON.stringify(records);
};
