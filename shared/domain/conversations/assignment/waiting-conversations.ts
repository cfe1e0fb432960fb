/** Assigns waiting conversations to agents, oldest ticket first. */
import { runExclusive } from '../../../concurrency/keyed-mutex.ts';
import { readMany } from '../../../database/raw-read.ts';
import { AppError } from '../../../errors.ts';
import { Department } from '../../../models/department.ts';
import { eligibleAgents, planRouting, type RoutingPlan } from '../../routing/routing-plan.ts';
import {
  assignableConversations,
  isAssignable,
  readAbandonedBy,
  type WaitingConversation,
} from '../../routing/waiting-queue.ts';
import { updateConversation } from '../conversation.ts';
import { SYSTEM_ACTOR } from './event-fields.ts';
import { reassign } from './reassign.ts';
import { selectOperators } from './select-operators.ts';

/**
 * The routing plan of each department whose field `routing` is `assigned`. Null means that the plan must be read: at
 * the start, and after every assignment, which makes all plans outdated.
 */
type DepartmentPlans = Map<string, RoutingPlan | null>;

const findAssigningDepartments = async (id_project: string): Promise<DepartmentPlans> => {
  const departments = await readMany(Department, { id_project, routing: 'assigned' }, { fields: { _id: 1 } });
  return new Map(departments.map(({ _id }) => [String(_id), null]));
};

/** Assigns one waiting conversation. Returns false if no agent can take it. */
const assignOne = async (
  departmentPlan: RoutingPlan,
  { request_id, attributes }: WaitingConversation,
): Promise<boolean> => {
  if (!eligibleAgents(departmentPlan, readAbandonedBy(attributes)).length) return false;
  const { _id, id_project } = departmentPlan.department;
  const plan = await selectOperators(departmentPlan, { request: { request_id, attributes } });
  const reassignment = { plan, trigger: 'waiting', actor: SYSTEM_ACTOR } as const;
  const after = await updateConversation({ id_project, request_id }, (before, session) =>
    isAssignable(before) && before.department === _id ? reassign(before, reassignment, session) : null,
  );
  return !isAssignable(after);
};

/**
 * Assigns one waiting conversation according to the plan of its department. Returns whether the conversation was
 * assigned. If it was not, the department is removed from `plans`, because no agent can take its later conversations
 * either. The department stays if agents have abandoned this conversation, because those agents may be able to take
 * later ones.
 */
const assignInDepartment = async (
  plans: DepartmentPlans,
  id_project: string,
  next: WaitingConversation,
): Promise<boolean> => {
  const { department, attributes } = next;
  if (!plans.has(department)) return false;
  const departmentPlan = plans.get(department) ?? (await planRouting(id_project, department, { nobot: true }));
  plans.set(department, departmentPlan);
  const isAssigned = await assignOne(departmentPlan, next);
  if (!isAssigned && !readAbandonedBy(attributes).size) plans.delete(department);
  return isAssigned;
};

/** Whether an error means that the conversation or its department has been deleted. */
export const isDeletedMeanwhile = (error: unknown): boolean =>
  error instanceof AppError && (error.status === 404 || error.code === 'UNKNOWN_DEPARTMENT');

/** Like `assignInDepartment`, but returns false if the conversation or department has been deleted in the meantime. */
const assignIfPresent = async (...args: Parameters<typeof assignInDepartment>): Promise<boolean> => {
  try {
    return await assignInDepartment(...args);
  } catch (error) {
    if (isDeletedMeanwhile(error)) return false;
    throw error;
  }
};

const assignFirst = async (plans: DepartmentPlans, id_project: string): Promise<boolean> => {
  for await (const next of assignableConversations(id_project, [...plans.keys()]))
    if (await assignIfPresent(plans, id_project, next)) return true;
  return false;
};

/**
 * Assigns the waiting conversations of a project, oldest ticket first. A conversation that all available agents have
 * already left is skipped. Concurrent calls are safe: each assignment reserves its agent in its own transaction.
 */
export const assignWaiting = (id_project: string): Promise<void> =>
  runExclusive(`waiting queue of ${id_project}`, async () => {
    const plans = await findAssigningDepartments(id_project);
    while (await assignFirst(plans, id_project)) {
      // After each assignment, all plans are outdated.
      for (const department of plans.keys()) plans.set(department, null);
    }
  });
