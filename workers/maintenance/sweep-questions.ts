import { namespacesToReask } from '#shared/domain/knowledge/answers/reask-clusters.ts';
import { namespacesToCluster } from '#shared/domain/knowledge/question-log/cluster-questions.ts';
import type { Processor } from '#shared/jobs.ts';
import { enqueue } from '#shared/queue/queue.ts';

/**
 * Enqueues jobs that cluster new unanswered questions, or ask the knowledge base a cluster's questions again once a FAQ
 * has been added for the cluster.
 */
const sweepQuestionsJob: Processor<'maintenance.sweep-questions'> = async () => {
  for (const key of [...(await namespacesToCluster()), ...(await namespacesToReask())])
    await enqueue('bulk.update-question-clusters', key);
};
export default sweepQuestionsJob;
