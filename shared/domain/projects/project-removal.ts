/**
 * Disables and removes projects. A disabled project keeps its records and rejects all access. Removal disables the
 * project, and a background job deletes everything that belongs to it: its records in every collection with an
 * `id_project` (`projectModels`), and its data in the stores outside the database (`EXTERNAL_STORES`). The job may be
 * killed at any point: a later run deletes what remains.
 */
import type { ClientSession } from 'mongoose';
import { config } from '../../config.ts';
import { projectModels } from '../../database/collection.ts';
import { inTransaction } from '../../database/connection.ts';
import { emits } from '../../events.ts';
import { notFound } from '../../errors.ts';
import { Outbox } from '../../models/outbox.ts';
import { PROJECT_ACTIVE, PROJECT_DISABLED, Project, ProjectView } from '../../models/project.ts';
import { ProjectRemoval, ProjectRemovalView } from '../../models/project-removal.ts';
import { enqueue } from '../../queue/queue.ts';
import { deleteStoredPrefix } from '../../storage/storages.ts';
import { currentTime, currentTimeMs } from '../../time/clock.ts';
import { chunkIndex } from '../../vectors/index.ts';
import { projectionOf } from '../../wire/view.ts';
import { recordAccessChange } from '../access/access-changes.ts';
import { projectPrefix } from '../files/file-names.ts';
import { detailView, eventView, type ProjectDetail, type StoredProject } from './projects.ts';

/** Functions that delete a project's data from the stores outside the database. They can be repeated safely. */
const EXTERNAL_STORES: ((project: string) => Promise<void>)[] = [
  (project) => chunkIndex().dropProject(project),
  (project) => deleteStoredPrefix(projectPrefix(project)),
];

const RECORDS_PER_BATCH = 1000;
/** Delay before the records of a project are deleted, so that listeners can handle `project.delete` first. */
export const EVENT_DELAY_MS = 3000;
/**
 * Time from the request for a removal until the second run of its job. By then, every process has dropped the project
 * from its caches, and the leases of the project's contents have expired.
 */
const SETTLE_MS = (config.LEASE_SECONDS + 60) * 1000;

/** Disables an active project within the caller's transaction and returns it; null if it is unknown or disabled. */
export const disableInTransaction = async (id: string, session: ClientSession): Promise<ProjectDetail | null> => {
  const options = { session, returnDocument: 'after', projection: projectionOf(ProjectView) } as const;
  const project = await Project.findOneAndUpdate(
    { _id: id, status: PROJECT_ACTIVE },
    { status: PROJECT_DISABLED },
    options,
  ).lean<StoredProject>();
  if (!project) return null;
  await Outbox.create([{ id_project: id, record: id, view: eventView(project) }], {
    session,
    ...emits('project.delete'),
  });
  await recordAccessChange({ project: id }, session);
  return detailView(project);
};

/** Disables a project permanently; its records stay. Errors: 404 for an unknown or disabled project. */
export const disable = async (id: string): Promise<ProjectDetail> => {
  const project = await inTransaction((session) => disableInTransaction(id, session));
  if (!project) throw notFound('Project not found');
  return project;
};

/** Returns the report of a project's removal, or null if no removal was requested. */
export const readRemoval = (id: string) => ProjectRemoval.findOne({ _id: id }, projectionOf(ProjectRemovalView)).lean();

/**
 * Disables a project and schedules its removal. A repeated call changes nothing. Errors: 404 for an unknown project.
 */
export const remove = async (id: string, requestedBy: string): Promise<void> => {
  await inTransaction(async (session) => {
    await disableInTransaction(id, session);
    const project = await Project.findOne({ _id: id }, { name: 1 }, { session }).lean();
    if (!project) throw notFound('Project not found');
    const now = currentTimeMs();
    const removal = {
      name: project.name,
      requestedBy,
      nextSweepAt: new Date(now + EVENT_DELAY_MS),
      quiescentAt: new Date(now + SETTLE_MS),
    };
    await ProjectRemoval.updateOne(
      { _id: id },
      { $setOnInsert: { ...removal, removed: {} } },
      { session, upsert: true },
    );
  });
  await enqueue('bulk.remove-project', { id_project: id }, EVENT_DELAY_MS);
};

/** Deletes and counts one batch of a project's records, in one transaction. Returns false if no records were left. */
const removeBatch = (model: ReturnType<typeof projectModels>[number], id: string): Promise<boolean> =>
  inTransaction(async (session) => {
    const batch = await model
      .find({ id_project: id }, { _id: 1 }, { session })
      .limit(RECORDS_PER_BATCH)
      .lean<{ _id: unknown }[]>();
    if (!batch.length) return false;
    await model.deleteMany({ id_project: id, _id: { $in: batch.map(({ _id }) => _id) } }, { session });
    await countRemoved(id, model.modelName, batch.length, session);
    return true;
  });

const countRemoved = (...[id, name, number, session]: [string, string, number, ClientSession]) =>
  ProjectRemoval.updateOne({ _id: id }, { $inc: { [`removed.${name}`]: number } }, { session });

/** Counts the records that belong to a project, by collection. */
export const countProjectData = async (id: string): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const model of projectModels()) {
    const count = await model.countDocuments({ id_project: id });
    if (count) counts[model.modelName] = count;
  }
  return { ...counts, projects: await Project.countDocuments({ _id: id }) };
};

const removeProjectRecord = (id: string): Promise<void> =>
  inTransaction(async (session) => {
    const { deletedCount } = await Project.deleteOne({ _id: id }, { session });
    if (deletedCount) await countRemoved(id, 'projects', deletedCount, session);
  });

/**
 * Deletes everything that belongs to a project whose removal is scheduled. A second run follows once no process can
 * still write to the project. Records in the database are deleted before the data in external stores, because a process
 * checks that the database still has a record before it writes the record to such a store.
 */
export const deleteProjectData = async (id: string): Promise<void> => {
  const removal = await ProjectRemoval.findOne({ _id: id, nextSweepAt: { $exists: true } }).lean();
  if (!removal) return;
  const startedAt = currentTime();
  for (const model of projectModels()) while (await removeBatch(model, id));
  for (const dropProject of EXTERNAL_STORES) await dropProject(id);
  await removeProjectRecord(id);
  await ProjectRemoval.updateOne({ _id: id, finishedAt: null }, { $set: { finishedAt: currentTime() } });
  const next =
    startedAt < removal.quiescentAt ? { $set: { nextSweepAt: removal.quiescentAt } } : { $unset: { nextSweepAt: 1 } };
  await ProjectRemoval.updateOne({ _id: id }, next);
};

/** Returns the ids of the projects whose removal is due, including those that a killed worker left unfinished. */
export const findDueRemovals = async (): Promise<string[]> => {
  const due = await ProjectRemoval.find({ nextSweepAt: { $lte: currentTime() } }, { _id: 1 }).lean();
  return due.map(({ _id }) => _id);
};
