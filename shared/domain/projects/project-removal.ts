/**
 * The end of a project. Disabling it closes it to everybody; removing it takes away everything that belongs to it, by a job
 * that may be killed anywhere: what is left to do is what is left of the project. What belongs to a project is listed here
 * and nowhere else: every collection whose records name a project, and the places outside the database.
 */
import type { ClientSession } from 'mongoose';
import { config } from '../../config.ts';
import { emits } from '../../emits.ts';
import { notFound } from '../../errors.ts';
import { Outbox } from '../../models/outbox.ts';
import { ACTIVE, DISABLED, Project, ProjectView } from '../../models/project.ts';
import { ProjectRemoval, ProjectRemovalView } from '../../models/project-removal.ts';
import { inTransaction, projectModels } from '../../mongo.ts';
import { enqueue } from '../../queue.ts';
import { chunkIndex } from '../../vectors/index.ts';
import { fieldsOf } from '../../view.ts';
import { accessChanged } from '../access/access.ts';
import { type Shown, type Stored, shown, told } from './projects.ts';

/** What a project has outside the database; each forgets it, however often it is told. */
const PLACES: ((project: string) => Promise<void>)[] = [(project) => chunkIndex().dropProject(project)];

const BATCH = 1000;
/** Whoever listens is told of the end before the listeners' own records go. */
const NEWS_MS = 3000;
/** A project's endings are known to every process, and leases of its contents over, after this time. */
const QUIET_MS = (config.LEASE_SECONDS + 60) * 1000;

/** Part of a transaction: close a project that is in use; null for any other. */
export const closed = async (id: string, session: ClientSession): Promise<Shown | null> => {
  const options = { session, returnDocument: 'after', projection: fieldsOf(ProjectView) } as const;
  const project = await Project.findOneAndUpdate(
    { _id: id, status: ACTIVE },
    { status: DISABLED },
    options,
  ).lean<Stored>();
  if (!project) return null;
  await Outbox.create([{ id_project: id, record: id, shown: told(project) }], { session, ...emits('project.delete') });
  await accessChanged({ project: id }, session);
  return shown(project);
};

/** Close a project to everybody for good; its records stay (contract a 8.1). */
export const disable = async (id: string): Promise<Shown> => {
  const project = await inTransaction((session) => closed(id, session));
  if (!project) throw notFound('Project not found');
  return project;
};

/** The report of a removal, or null where there is none. */
export const report = (id: string) => ProjectRemoval.findOne({ _id: id }, fieldsOf(ProjectRemovalView)).lean();

/** Close a project and have everything in it removed. Asking again changes nothing. */
export const remove = async (id: string, requestedBy: string): Promise<void> => {
  await inTransaction(async (session) => {
    await closed(id, session);
    const project = await Project.findOne({ _id: id }, { name: 1 }, { session }).lean();
    if (!project) throw notFound('Project not found');
    const now = Date.now();
    const begun = { name: project.name, requestedBy, due: new Date(now + NEWS_MS), quiet: new Date(now + QUIET_MS) };
    await ProjectRemoval.updateOne({ _id: id }, { $setOnInsert: { ...begun, removed: {} } }, { session, upsert: true });
  });
  await enqueue('bulk.remove-project', { id_project: id }, NEWS_MS);
};

/** Remove some records and count them, both or neither; false when there were none. */
const removeSome = (model: ReturnType<typeof projectModels>[number], id: string): Promise<boolean> =>
  inTransaction(async (session) => {
    const some = await model.find({ id_project: id }, { _id: 1 }, { session }).limit(BATCH).lean<{ _id: unknown }[]>();
    if (!some.length) return false;
    await model.deleteMany({ id_project: id, _id: { $in: some.map(({ _id }) => _id) } }, { session });
    await count(id, model.modelName, some.length, session);
    return true;
  });

const count = (...[id, name, number, session]: [string, string, number, ClientSession]) =>
  ProjectRemoval.updateOne({ _id: id }, { $inc: { [`removed.${name}`]: number } }, { session });

const removeRecord = (id: string): Promise<void> =>
  inTransaction(async (session) => {
    const { deletedCount } = await Project.deleteOne({ _id: id }, { session });
    if (deletedCount) await count(id, 'projects', deletedCount, session);
  });

/**
 * Remove what there is of a project whose removal was asked for; done again when nobody can write any of it any more.
 * Places outside the database go after it: whoever fills one looks first what the database has.
 */
export const removeEverything = async (id: string): Promise<void> => {
  const removal = await ProjectRemoval.findOne({ _id: id, due: { $exists: true } }).lean();
  if (!removal) return;
  const begun = new Date();
  for (const model of projectModels()) while (await removeSome(model, id));
  for (const forget of PLACES) await forget(id);
  await removeRecord(id);
  await ProjectRemoval.updateOne({ _id: id, finishedAt: null }, { $set: { finishedAt: new Date() } });
  const next = begun < removal.quiet ? { $set: { due: removal.quiet } } : { $unset: { due: 1 } };
  await ProjectRemoval.updateOne({ _id: id }, next);
};

/** The projects to be removed now: those that a killed worker left half done too. */
export const removalsDue = async (): Promise<string[]> => {
  const due = await ProjectRemoval.find({ due: { $lte: new Date() } }, { _id: 1 }).lean();
  return due.map(({ _id }) => _id);
};
