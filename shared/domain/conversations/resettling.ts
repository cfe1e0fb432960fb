/** What becomes of the open conversations of a department that was deleted: they go to the project's default one. */
import { AppError } from '../../errors.ts';
import { Department } from '../../models/department.ts';
import { REQUEST, Request, WAITING } from '../../models/request.ts';
import { readMany, readOne } from '../../read.ts';
import { change } from './requests.ts';

const BATCH = 100;
const HOME = { _id: 1, name: 1, routing: 1, default: 1, status: 1, id_project: 1 } as const;

/** The default department, as conversations keep it; null for a project that is being removed. */
const homeOf = async (id_project: string) => {
  const home = await readOne(Department, { id_project, default: true }, HOME);
  return home && { ...home, _id: String(home._id) };
};

type Home = NonNullable<Awaited<ReturnType<typeof homeOf>>>;

const move = (where: { id_project: string; request_id: string }, gone: string, home: Home) =>
  change(where, ({ department, status }) => {
    if (department !== gone || status >= REQUEST.closed) return null;
    const set = { department: home._id, 'snapshot.department': home };
    return {
      set,
      tells: ['request.update', ['request.updated', { comment: 'REROUTE', patch: { department: home._id } }]],
    };
  });

/** A conversation that is deleted meanwhile needs no department. */
const moveIfThere = async (...[where, gone, home]: Parameters<typeof move>): Promise<void> => {
  try {
    await move(where, gone, home);
  } catch (error) {
    if (!(error instanceof AppError && error.status === 404)) throw error;
  }
};

/** Have them all moved: who serves them goes on, those that wait are served from there. Done again, it does what is left. */
export const resettle = async (id_project: string, gone: string, signal?: AbortSignal): Promise<void> => {
  const home = await homeOf(id_project);
  if (!home) return;
  const open = { id_project, preflight: { $in: [true, false] }, status: { $lt: REQUEST.closed }, department: gone };
  for (;;) {
    signal?.throwIfAborted();
    const left = await readMany(Request, open, { fields: { request_id: 1 }, limit: BATCH });
    if (!left.length) return;
    await Promise.all(left.map(({ request_id }) => moveIfThere({ id_project, request_id }, gone, home)));
  }
};

/** The same for those that were opened while their department was being deleted: they would wait for ever. */
export const resettleStrays = async (id_project: string): Promise<void> => {
  const departments = await readMany(Department, { id_project }, { fields: { _id: 1, default: 1 } });
  if (!departments.some((department) => department.default)) return; // the project is being removed
  const elsewhere = { $nin: departments.map(({ _id }) => String(_id)), $exists: true };
  for (;;) {
    const stray = await readOne(Request, { id_project, ...WAITING, department: elsewhere }, { department: 1 });
    if (!stray?.department) return;
    await resettle(id_project, stray.department);
  }
};
