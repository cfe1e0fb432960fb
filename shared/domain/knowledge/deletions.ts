/**
 * Deletes many contents: those of a namespace, or the pages of a sitemap. A deletion is recorded first. The API call
 * then deletes contents for a short time, and a job deletes the others in time slices. The record of the deletion
 * counts the deleted contents.
 */
import { config } from '../../config.ts';
import { newId } from '../../context.ts';
import { inTransaction } from '../../database/connection.ts';
import { insertIfAbsent } from '../../database/unique-keys.ts';
import { AppError, notFound } from '../../errors.ts';
import { emits } from '../../events.ts';
import { KbDeletion, KbDeletionView } from '../../models/kb-deletion.ts';
import { KbImport } from '../../models/kb-import.ts';
import { KbAnsweredQuestion, KbUnansweredQuestion } from '../../models/kb-question.ts';
import { KbQuestionCluster } from '../../models/kb-question-cluster.ts';
import { Outbox } from '../../models/outbox.ts';
import { enqueue } from '../../queue/queue.ts';
import { currentTime } from '../../time/clock.ts';
import { chunkIndex } from '../../vectors/index.ts';
import { isId, projectionOf } from '../../wire/view.ts';
import { removeUntil } from './content-removals.ts';
import { indexSpaceOf } from './indexing/chunks.ts';
import { removeVocabulary } from './indexing/vocabulary.ts';
import { deleteNamespace, findForRemoval, nameOf } from './namespaces.ts';

/** How long a call deletes contents before a job continues. */
const CALL_TIME_MS = 2000;
const DELETION_FIELDS = projectionOf(KbDeletionView);

interface DeletionTarget {
  id_project: string;
  namespace: string;
  kind: 'namespace' | 'contents' | 'sitemap';
  sitemap?: string;
}

/** Returns the report of a deletion. Errors: 404 for an unknown deletion. */
export const find = async (id_project: string, id: string) => {
  const deletion = isId(id) ? await KbDeletion.findOne({ _id: id, id_project }, DELETION_FIELDS).lean() : null;
  if (!deletion) throw notFound(`Deletion not found with id ${id} for project ${id_project}`);
  return deletion;
};

type Deletion = Awaited<ReturnType<typeof find>>;

const contentsFilter = ({ id_project, namespace, kind, sitemap }: Deletion) =>
  kind === 'sitemap' ? { id_project, sitemap_origin_id: String(sitemap) } : { id_project, namespace };

/** Deletes the vocabulary of an emptied namespace, and all other data of a deleted namespace. */
const deleteRest = async ({ id_project, namespace, kind }: Deletion): Promise<void> => {
  if (kind !== 'sitemap') await removeVocabulary({ id_project, namespace });
  if (kind !== 'namespace') return;
  await chunkIndex().drop(indexSpaceOf({ id_project, namespace }));
  for (const model of [
    KbUnansweredQuestion,
    KbAnsweredQuestion,
    KbQuestionCluster,
    KbImport,
  ] as (typeof KbUnansweredQuestion)[])
    await model.deleteMany({ id_project, namespace });
};

/** Marks a deletion as finished, and emits its event with the number of deleted contents, once. */
const finish = async ({ _id, id_project, namespace, kind }: Deletion): Promise<void> => {
  const namespaceName = await nameOf(id_project, namespace);
  await inTransaction(async (session) => {
    const finished = await KbDeletion.findOneAndUpdate(
      { _id, id_project, finishedAt: null },
      { $set: { finishedAt: currentTime() } },
      { session, projection: { deleted: 1 } },
    ).lean();
    if (!finished) return;
    const { deleted: count } = finished;
    if (kind === 'namespace') return deleteNamespace({ id_project, id: namespace }, { count, session });
    const deleteMode = kind === 'contents' ? 'contents_only' : 'sitemap';
    const view = { id_project, namespace, namespaceName, count, deleteMode };
    await Outbox.create([{ id_project, record: namespace, view }], { session, ...emits('kb.contents.delete') });
  });
};

/** Continues a deletion for the given time. Returns whether it is finished. */
const runFor = async (deletion: Deletion, timeMs: number): Promise<boolean> => {
  const isDone = await removeUntil(contentsFilter(deletion), {
    deadline: performance.now() + timeMs,
    deletion: String(deletion._id),
  });
  if (!isDone) return false;
  await deleteRest(deletion);
  await finish(deletion);
  return true;
};

/** Records and starts a deletion. If it takes longer than a call may, a job continues it. Returns its report. */
export const start = async (target: DeletionTarget): Promise<Deletion> => {
  const _id = newId();
  await insertIfAbsent(() => KbDeletion.create([{ _id, ...target }]));
  const deletion = await find(target.id_project, _id);
  if (!(await runFor(deletion, CALL_TIME_MS)))
    await enqueue('bulk.delete-contents', { id_project: target.id_project, deletion: _id });
  return find(target.id_project, _id);
};

/** Continues a deletion for one time slice. Returns whether it is finished. */
export const resume = async (id_project: string, id: string): Promise<boolean> => {
  const deletion = await KbDeletion.findOne({ _id: id, id_project, finishedAt: null }, DELETION_FIELDS).lean();
  return !deletion || runFor(deletion, config.JOB_TIME_SLICE_SECONDS * 1000);
};

/** Finds the unfinished deletions of all projects. */
export const findUnfinished = async (): Promise<{ id_project: string; deletion: string }[]> => {
  const unfinished = await KbDeletion.find({ finishedAt: null }, { id_project: 1 }, { anyProject: true }).lean();
  return unfinished.map(({ _id, id_project }) => ({ id_project, deletion: String(_id) }));
};

/** Deletes all contents of a namespace. Errors: 404 for an unknown namespace. */
export const clearNamespace = async (id_project: string, namespace: string): Promise<Deletion> => {
  await findForRemoval(id_project, namespace);
  return start({ id_project, namespace, kind: 'contents' });
};

/**
 * Deletes a namespace with its contents, index, imports and logs of questions. Errors: 403 for the default namespace,
 * 404 for an unknown namespace.
 */
export const removeNamespace = async (id_project: string, namespace: string): Promise<Deletion> => {
  const { default: isDefault } = await findForRemoval(id_project, namespace);
  if (isDefault) throw new AppError(403, 'DEFAULT_NAMESPACE', 'Default namespace cannot be deleted');
  return start({ id_project, namespace, kind: 'namespace' });
};
