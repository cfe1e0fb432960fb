/** The contents and chunks of a namespace, in MongoDB and in the index. */
import type { Model } from 'mongoose';
import { indexSpaceOf } from '#shared/domain/knowledge/indexing/chunks.ts';
import { KbChunk } from '#shared/models/kb-chunk.ts';
import { CONTENT_STATUS, KbContent } from '#shared/models/kb-content.ts';
import { KbNamespace } from '#shared/models/kb-namespace.ts';
import { chunkIndex } from '#shared/vectors/index.ts';

/** The number of contents of the project by status. */
export const countByStatus = async (id_project: string): Promise<Record<number, number>> => {
  const groups = await KbContent.aggregate<{ _id: number; count: number }>([
    { $match: { id_project } },
    { $group: { _id: '$status', count: { $sum: 1 } } },
  ]);
  return Object.fromEntries(groups.map(({ _id, count }) => [_id, count]));
};

/**
 * Deletes the contents, chunks and namespaces of all projects from MongoDB. Otherwise, a sweep would also process
 * contents of earlier tests, whose sites are closed.
 */
export const clearKnowledge = async (): Promise<void> => {
  for (const model of [KbContent, KbNamespace, KbChunk] as Model<object>[])
    await model.deleteMany({}, { anyProject: true });
};

/**
 * The chunks of a namespace. `expected` is the number of chunks that its indexed contents must have, and `current` is
 * the number of stored chunks of their current attempts. `stored` and `indexed` are the sorted ids in MongoDB and in
 * the index.
 */
export const chunkIds = async (id_project: string, namespace = id_project) => {
  const contents = await KbContent.find(
    { id_project, namespace, status: CONTENT_STATUS.indexed },
    { publishedAttemptId: 1, chunks: 1 },
  ).lean();
  const expected = contents.reduce((sum, { chunks }) => sum + chunks, 0);
  const current = contents.map((content) => content.publishedAttemptId ?? '');
  const stored = await KbChunk.find({ id_project, namespace }, { attemptId: 1 }).lean();
  const indexed: string[] = [];
  for await (const { id } of chunkIndex().entries(indexSpaceOf({ id_project, namespace }))) indexed.push(id);
  return {
    expected,
    current: stored.filter(({ attemptId }) => current.includes(attemptId)).length,
    stored: stored.map(({ _id }) => _id).toSorted(),
    indexed: indexed.toSorted(),
  };
};
