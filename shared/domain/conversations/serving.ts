/** Serving those who wait: the oldest ticket first, as long as somebody may take one (decision 18). */
import { AppError } from '../../errors.ts';
import { inLine } from '../../in-line.ts';
import { Department } from '../../models/department.ts';
import { readMany } from '../../read.ts';
import { free } from '../routing/choose.ts';
import { leftBy, type Waiting, waiting, waits } from '../routing/line.ts';
import { type Plan, plan } from '../routing/plan.ts';
import { change } from './requests.ts';
import { rerouted, SYSTEM } from './rerouting.ts';

/** The departments that assign, with the plan of each since somebody was served. */
const linesOf = async (id_project: string): Promise<Map<string, Plan | null>> => {
  const departments = await readMany(Department, { id_project, routing: 'assigned' }, { fields: { _id: 1 } });
  return new Map(departments.map(({ _id }) => [String(_id), null]));
};

/** Give one that waits to whoever may take it; false where nobody may. */
const serve = async (there: Plan, { request_id, attributes }: Waiting): Promise<boolean> => {
  if (!free(there, leftBy(attributes)).length) return false;
  const { _id, id_project } = there.department;
  const rerouting = { plan: there, trigger: 'waiting', by: SYSTEM } as const;
  const after = await change({ id_project, request_id }, (before, session) =>
    waits(before) && before.department === _id ? rerouted(before, rerouting, session) : null,
  );
  return !waits(after);
};

type Lines = Awaited<ReturnType<typeof linesOf>>;

/** The same by the plan of its department; where nobody is found for one whom all may take, the department's line ends. */
const serveIn = async (lines: Lines, id_project: string, next: Waiting): Promise<boolean> => {
  const { department, attributes } = next;
  if (!lines.has(department)) return false;
  const there = lines.get(department) ?? (await plan(id_project, department, { nobot: true }));
  lines.set(department, there);
  const isServed = await serve(there, next);
  if (!isServed && !leftBy(attributes).size) lines.delete(department);
  return isServed;
};

/** A conversation or department that is deleted meanwhile is no failure. */
const serveIfThere = async (...given: Parameters<typeof serveIn>): Promise<boolean> => {
  try {
    return await serveIn(...given);
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
};

const serveFirst = async (lines: Lines, id_project: string): Promise<boolean> => {
  for await (const next of waiting(id_project, [...lines.keys()]))
    if (await serveIfThere(lines, id_project, next)) return true;
  return false;
};

/**
 * Serve a project's line: each time the oldest one whom somebody may take, for one that some teammates left is passed over. Safe beside
 * another one: each is claimed for in its own transaction.
 */
export const serveWaiting = (id_project: string): Promise<void> =>
  inLine(`line of ${id_project}`, async () => {
    const lines = await linesOf(id_project);
    while (await serveFirst(lines, id_project)) for (const department of lines.keys()) lines.set(department, null);
  });
