import { reaskClusters } from '#shared/domain/knowledge/answers/reask-clusters.ts';
import { clusterQuestions } from '#shared/domain/knowledge/question-log/cluster-questions.ts';
import type { Processor } from '#shared/jobs.ts';
import { enqueue } from '#shared/queue/queue.ts';

/**
 * Clusters new unanswered questions, one batch per job. When none is left, asks the knowledge base the questions
 * of a cluster again if an editor has added a FAQ for the cluster.
 */
const updateQuestionClustersJob: Processor<'bulk.update-question-clusters'> = async (key, signal) => {
  if (await clusterQuestions(key)) await enqueue('bulk.update-question-clusters', key);
  else await reaskClusters(key, signal);
};
export default updateQuestionClustersJob;
