/** Moves the open conversations of a deleted department to the project's default department. */
import { readMany, readOne } from '../../../database/raw-read.ts';
import { unlessNotFound } from '../../../errors.ts';
import { CONVERSATION_STATUS, Conversation, WAITING_FILTER } from '../../../models/conversation.ts';
import { Department } from '../../../models/department.ts';
import { updateConversation } from '../conversation.ts';

const BATCH_SIZE = 100;
const DEPARTMENT_FIELDS = { _id: 1, name: 1, routing: 1, default: 1, status: 1, id_project: 1 } as const;

/**
 * Returns the default department with the fields that conversations copy into their `snapshot`, or null if the project
 * is being deleted.
 */
const findDefaultDepartment = async (id_project: string) => {
  const department = await readOne(Department, { id_project, default: true }, DEPARTMENT_FIELDS);
  return department && { ...department, _id: String(department._id) };
};

type DefaultDepartment = NonNullable<Awaited<ReturnType<typeof findDefaultDepartment>>>;

const moveConversation = (
  key: { id_project: string; request_id: string },
  deletedId: string,
  target: DefaultDepartment,
) =>
  updateConversation(key, ({ department, status }) => {
    if (department !== deletedId || status >= CONVERSATION_STATUS.closed) return null;
    const set = { department: target._id, 'snapshot.department': target };
    return {
      set,
      events: ['request.update', ['request.updated', { comment: 'REROUTE', patch: { department: target._id } }]],
    };
  });

/**
 * Moves all open conversations of a deleted department to the default department. Their participants stay. The event
 * `request.update` of a waiting conversation then triggers its assignment there. If a call is interrupted, the next
 * call moves the remaining conversations.
 */
export const moveFromDeletedDepartment = async (
  id_project: string,
  deletedId: string,
  signal?: AbortSignal,
): Promise<void> => {
  const target = await findDefaultDepartment(id_project);
  if (!target) return;
  const open = {
    id_project,
    preflight: { $in: [true, false] }, // any value; needed to use the index on `preflight` and `status`
    status: { $lt: CONVERSATION_STATUS.closed },
    department: deletedId,
  };
  for (;;) {
    signal?.throwIfAborted();
    const batch = await readMany(Conversation, open, { fields: { request_id: 1 }, limit: BATCH_SIZE });
    if (!batch.length) return;
    const moves = batch.map(({ request_id }) =>
      unlessNotFound(() => moveConversation({ id_project, request_id }, deletedId, target)),
    );
    await Promise.all(moves);
  }
};

/**
 * Moves waiting conversations to the default department if their own department no longer exists. They were opened
 * while it was being deleted.
 */
export const moveOrphans = async (id_project: string): Promise<void> => {
  const departments = await readMany(Department, { id_project }, { fields: { _id: 1, default: 1 } });
  if (!departments.some((department) => department.default)) return; // the project is being deleted
  const unknownDepartment = { $nin: departments.map(({ _id }) => String(_id)), $exists: true };
  for (;;) {
    const orphan = await readOne(
      Conversation,
      { id_project, ...WAITING_FILTER, department: unknownDepartment },
      { department: 1 },
    );
    if (!orphan?.department) return;
    await moveFromDeletedDepartment(id_project, orphan.department);
  }
};
