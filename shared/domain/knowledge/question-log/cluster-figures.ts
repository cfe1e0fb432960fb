/** Counts the stored questions of clusters, so that deleted and expired questions are not included. */
import { KbUnansweredQuestion } from '../../../models/kb-question.ts';
import type { NamespaceKey } from '../indexing/chunks.ts';

interface ClusterFigures {
  count: number;
  first: Date;
  last: Date;
}

/** Returns how many questions each cluster has, and when the first and last were logged. Reads only a MongoDB index. */
export const readClusterFigures = async ({
  id_project,
  namespace,
}: NamespaceKey): Promise<Map<string, ClusterFigures>> => {
  const groups = await KbUnansweredQuestion.aggregate<ClusterFigures & { _id: string }>([
    { $match: { id_project, namespace, cluster: { $type: 'string' } } },
    {
      $group: {
        _id: '$cluster',
        count: { $sum: 1 },
        first: { $min: '$createdAt' },
        last: { $max: '$createdAt' },
      },
    },
  ]);
  return new Map(groups.map(({ _id, ...figures }) => [_id, figures]));
};
