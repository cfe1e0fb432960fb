/**
 * Clusters the unanswered questions of a namespace. Each question is embedded once, and compared with clusters, not
 * with other questions. A question is marked until it has a cluster. If a worker is killed, its questions are therefore
 * clustered again, which changes at most the mean vector of a cluster and its weight.
 */
import { newId } from '../../../context.ts';
import { type Embedder, embedder } from '../../../embedding/embedder.ts';
import { KbUnansweredQuestion } from '../../../models/kb-question.ts';
import { KbQuestionCluster } from '../../../models/kb-question-cluster.ts';
import { decodeVector, encodeVector } from '../../../vectors/vector.ts';
import type { NamespaceKey } from '../indexing/chunks.ts';
import { assignClusters, type Cluster, type ClusterableQuestion } from './assign-clusters.ts';
import { readClusterFigures } from './cluster-figures.ts';

/** Maximum number of questions that one call of `clusterQuestions` assigns to clusters. */
const MAX_QUESTIONS = 200;
/** Maximum number of clusters of a namespace. Beyond it, those with the fewest and oldest questions are dropped. */
const MAX_CLUSTERS = 500;
/** Number of clusters dropped in addition to those beyond MAX_CLUSTERS, so that the counts are read less often. */
const DROPPED_TOGETHER = 50;

const embed = async (texts: string[], model: Embedder | null, project: string): Promise<(Float32Array | null)[]> =>
  model && texts.length ? model.embed(texts, { project }) : texts.map(() => null);

const readQuestions = async (
  { id_project, namespace }: NamespaceKey,
  model: Embedder | null,
): Promise<ClusterableQuestion[]> => {
  const found = await KbUnansweredQuestion.find({ id_project, namespace, needsCluster: true }, { question: 1 })
    .sort({ _id: 1 })
    .limit(MAX_QUESTIONS)
    .lean();
  const texts = [...new Set(found.map(({ question }) => question))];
  const vectors = await embed(texts, model, id_project);
  const vectorOf = new Map(texts.map((text, index) => [text, vectors[index] ?? null]));
  return found.map(({ _id, question }) => ({ id: String(_id), question, vector: vectorOf.get(question) ?? null }));
};

/** Reads the clusters. Those with vectors of another embedding model are embedded again, and returned as `updated`. */
const readClusters = async (
  { id_project, namespace }: NamespaceKey,
  model: Embedder | null,
): Promise<{ clusters: Cluster[]; updated: Cluster[] }> => {
  const found = await KbQuestionCluster.find({ id_project, namespace })
    .limit(2 * MAX_CLUSTERS)
    .lean();
  const clusters = found.map(({ _id, question, vector, weight }) => ({
    ...{ id: String(_id), question, weight, vector: decodeVector(vector) },
  }));
  const updated = clusters.filter((_, index) => found[index]?.model !== (model?.name ?? ''));
  const texts = updated.map(({ question }) => question);
  const vectors = await embed(texts, model, id_project);
  for (const [index, cluster] of updated.entries()) cluster.vector = vectors[index] ?? null;
  return { clusters, updated };
};

const storeClusters = async (
  { id_project, namespace }: NamespaceKey,
  clusters: Iterable<Cluster>,
  model: Embedder | null,
): Promise<void> => {
  const writes = [...clusters].map(({ id, question, vector, weight }) => ({
    updateOne: {
      filter: { _id: id, id_project },
      update: {
        $set: { weight, model: model?.name ?? '', ...(vector ? { vector: encodeVector(vector) } : {}) },
        $setOnInsert: { namespace, question },
        ...(vector ? {} : { $unset: { vector: 1 as const } }),
      },
      upsert: true,
    },
  }));
  await KbQuestionCluster.bulkWrite(writes, { ordered: false });
};

/** Stores the cluster of each question. A question whose text has changed in the meantime stays marked. */
const storeQuestions = async (
  { id_project }: NamespaceKey,
  questions: ClusterableQuestion[],
  clusterIds: Map<string, string>,
): Promise<void> => {
  const writes = questions.map(({ id, question }) => ({
    updateOne: {
      filter: { _id: id, id_project, question },
      update: { $set: { cluster: clusterIds.get(id) }, $unset: { needsCluster: 1 as const } },
      timestamps: false,
    },
  }));
  await KbUnansweredQuestion.bulkWrite(writes, { ordered: false });
};

/** Drops clusters beyond MAX_CLUSTERS, except those whose questions will be asked again. All questions stay logged. */
const dropExcessClusters = async (key: NamespaceKey, clusters: Cluster[]): Promise<void> => {
  if (clusters.length <= MAX_CLUSTERS) return;
  const figures = await readClusterFigures(key);
  const rankOf = ({ id }: Cluster) => {
    const { count = 0, last } = figures.get(id) ?? {};
    return { id, count, last: last?.getTime() ?? 0 };
  };
  const weakest = clusters.map(rankOf).toSorted((one, other) => one.count - other.count || one.last - other.last);
  const dropped = weakest.slice(0, clusters.length - MAX_CLUSTERS + DROPPED_TOGETHER).map(({ id }) => id);
  await KbQuestionCluster.deleteMany({
    ...{ id_project: key.id_project, namespace: key.namespace },
    ...{ _id: { $in: dropped }, reaskAt: { $exists: false } },
  });
};

/** Assigns marked questions of a namespace to clusters. Returns whether more marked questions may be left. */
export const clusterQuestions = async (key: NamespaceKey): Promise<boolean> => {
  const model = embedder();
  const questions = await readQuestions(key, model);
  if (!questions.length) return false;
  const { clusters, updated } = await readClusters(key, model);
  const { changed, clusterIds } = assignClusters(questions, clusters, newId);
  await storeClusters(key, new Set([...updated, ...changed]), model);
  await storeQuestions(key, questions, clusterIds);
  await dropExcessClusters(key, clusters);
  return questions.length === MAX_QUESTIONS;
};

/** Returns the namespaces with questions that are not clustered yet. */
export const namespacesToCluster = async (): Promise<NamespaceKey[]> => {
  const needsCluster = true;
  const projects = await KbUnansweredQuestion.distinct('id_project', { needsCluster }).setOptions({ anyProject: true });
  const keys = projects.map(async (id_project) => {
    const namespaces = await KbUnansweredQuestion.distinct('namespace', { id_project, needsCluster });
    return namespaces.map((namespace) => ({ id_project, namespace }));
  });
  return (await Promise.all(keys)).flat();
};
