/**
 * Derives the values that depend on several records of a project: its default department, the next ticket, the load of
 * the agents, the counters of conversations, and the rollups of analytics.
 */
import { readMany } from '../../database/raw-read.ts';
import { insertIfAbsent } from '../../database/unique-keys.ts';
import { Conversation } from '../../models/conversation.ts';
import { Counter } from '../../models/counter.ts';
import { DatabaseImport } from '../../models/database-import.ts';
import { Department } from '../../models/department.ts';
import { Project } from '../../models/project.ts';
import { isId } from '../../wire/view.ts';
import { countNewRecords } from '../analytics/rebuild.ts';
import { rebuild as rebuildCounters } from '../conversations/counters.ts';
import { restoreReservations } from '../routing/restore-reservations.ts';
import { progressId } from './progress.ts';
import type { Source } from '../../database/source-database.ts';
import { projects } from './tables/projects.ts';

/** The name of the progress record. */
const STEP = 'finish';
const TICKETS = 'tickets';

/** Raises the number of the last ticket to the highest ticket number of the conversations. */
const raiseTickets = async (id_project: string): Promise<void> => {
  const filter = { id_project, ticket_id: { $gt: 0 } };
  const [last] = await readMany(Conversation, filter, { fields: { ticket_id: 1 }, sort: { ticket_id: -1 }, limit: 1 });
  const value = last?.ticket_id;
  if (!value) return;
  const counter = { id_project, name: TICKETS };
  const { matchedCount } = await Counter.updateOne({ ...counter, value: { $lt: value } }, { $set: { value } });
  if (!matchedCount) await insertIfAbsent(() => Counter.create([{ ...counter, value }]));
};

/** Ensures that the project has a default department: makes its oldest department the default, or creates one. */
const ensureDefaultDepartment = async (id_project: string): Promise<void> => {
  if (await Department.exists({ id_project, default: true })) return;
  const oldest = { sort: { _id: 1 } } as const;
  if (await Department.findOneAndUpdate({ id_project }, { $set: { default: true } }, oldest)) return;
  const fields = { name: 'Default Department', routing: 'assigned', default: true, createdBy: 'system' };
  await Department.create([{ id_project, ...fields }]);
};

/** Derives the stored values of one project. */
const finishProject = async (id: string): Promise<void> => {
  await ensureDefaultDepartment(id);
  await raiseTickets(id);
  await restoreReservations(id);
  await rebuildCounters(id);
  await countNewRecords(id);
};

/** Returns the ids of the imported projects that follow the id `after`, in ascending order. */
const listProjects = async (source: Source, after: string): Promise<string[]> => {
  const name = projects.sources.find((each) => source.collections.includes(each));
  const documents = name ? await source.find(name, {}, { projection: { _id: 1 } }) : [];
  const ids = documents.map(({ _id }) => String(_id)).filter((id) => isId(id) && id > after);
  const found = await Project.find({ _id: { $in: ids } }, { _id: 1 })
    .sort({ _id: 1 })
    .lean();
  return found.map(({ _id }) => String(_id));
};

/**
 * The progress of `finishProjects`: the number of imported records when it began and, until all projects are finished,
 * the id of the last finished project.
 */
interface FinishedState {
  read: number;
  after?: unknown;
}

/**
 * Finishes all projects. Does nothing if no record has been imported since they were finished. If a call is
 * interrupted, the next call continues after the last finished project, unless records were imported in the meantime.
 */
export const finishProjects = async (
  source: Source,
  imported: number,
  onProgress: (progress: { done: number; total: number }) => void,
): Promise<void> => {
  const _id = progressId(source, STEP);
  const state = (await DatabaseImport.findOne({ _id }).lean()) as FinishedState | null;
  const isSame = state?.read === imported;
  if (state && isSame && !state.after) return;
  const ids = await listProjects(source, isSame ? String(state?.after) : '');
  const save = (after?: string) => {
    const saved = { source: source.address, collection_name: STEP, read: imported };
    const position = after ? { $set: { ...saved, after } } : { $set: saved, $unset: { after: 1 } };
    return DatabaseImport.updateOne({ _id }, position, { upsert: true });
  };
  for (const [index, id] of ids.entries()) {
    await finishProject(id);
    await save(id);
    onProgress({ done: index + 1, total: ids.length });
  }
  await save();
};
