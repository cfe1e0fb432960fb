/** Serving those who wait: the oldest ticket first, as long as somebody may take one (decision 18). */
import { AppError } from '../../errors.ts';
import { Department } from '../../models/department.ts';
import { readMany } from '../../read.ts';
import { free } from '../routing/choose.ts';
import { firstInLine, leftBy, waits } from '../routing/line.ts';
import { type Plan, plan } from '../routing/plan.ts';
import { change } from './requests.ts';
import { rerouted, SYSTEM } from './rerouting.ts';

type Waiting = NonNullable<Awaited<ReturnType<typeof firstInLine>>>;

/** The departments that assign, with the plan of each as it was when the last one was served. */
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

const serveIn = async (lines: Lines, id_project: string, waiting: Waiting): Promise<void> => {
  const department = waiting.department as string;
  const there = lines.get(department) ?? (await plan(id_project, department, { nobot: true }));
  const isServed = await serve(there, waiting);
  lines.set(department, there);
  if (isServed) for (const each of lines.keys()) lines.set(each, null);
  else if (!leftBy(waiting.attributes).size) lines.delete(department);
};

/** A conversation or department that is deleted meanwhile is no failure. */
const serveIfThere = async (...given: Parameters<typeof serveIn>): Promise<void> => {
  try {
    await serveIn(...given);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
};

/**
 * Serve a project's line. Where nobody is found for one, its department's line ends; but one that some teammates left is passed over, for
 * others may still be served. Safe beside another one: each is claimed for in its own transaction.
 */
export const serveWaiting = async (id_project: string): Promise<void> => {
  const lines = await linesOf(id_project);
  for (let ticket = 0; lines.size; ) {
    const waiting = await firstInLine(id_project, [...lines.keys()], ticket);
    if (!waiting) return;
    await serveIfThere(lines, id_project, waiting);
    ticket = waiting.ticket_id as number;
  }
};
