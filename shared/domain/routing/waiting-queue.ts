/** The waiting queue: conversations without an agent, in the order of their tickets. */
import { readOne } from '../../database/raw-read.ts';
import { Conversation, WAITING_FILTER } from '../../models/conversation.ts';

const CONVERSATIONS_PER_PAGE = 50;

const ABANDONED_BY_FIELD = 'abandoned_by_project_users';
const WAITING_FIELDS = { request_id: 1, department: 1, ticket_id: 1, [`attributes.${ABANDONED_BY_FIELD}`]: 1 } as const;

/** The fields of a waiting conversation that its assignment needs. */
export interface WaitingConversation {
  request_id: string;
  department: string;
  ticket_id: number;
  attributes?: object;
}

/** Waiting conversations that can be assigned; a pending one waits until its working status changes. */
const ASSIGNABLE_FILTER = { ...WAITING_FILTER, workingStatus: { $ne: 'pending' } } as const;

/** Returns whether a conversation that was read is in the waiting queue and can be assigned. */
export const isWaiting = (request: {
  status: number;
  preflight: boolean;
  smartAssignment: boolean;
  participants: string[];
  workingStatus?: string | null;
}): boolean =>
  request.status === WAITING_FILTER.status &&
  !request.preflight &&
  request.smartAssignment &&
  !request.participants.length &&
  request.workingStatus !== 'pending';

/** Reads from a conversation's attributes the ids of the memberships whose agents left it. */
export const readAbandonedBy = (attributes: unknown): Set<string> => {
  const { [ABANDONED_BY_FIELD]: abandonedBy } = (attributes ?? {}) as { [ABANDONED_BY_FIELD]?: object | null };
  return new Set(Object.keys(abandonedBy ?? {}));
};

/** A position in the waiting queue of a department. */
interface QueuePosition {
  id_project: string;
  department: string;
  /** Ticket number; a new conversation has none and comes last. */
  ticket?: number;
}

/**
 * Returns whether an earlier ticket is waiting in this department that at least one of these agents could take. If so,
 * a new conversation must not jump the queue.
 */
export const hasEarlierWaiting = async (
  { id_project, department, ticket = Number.MAX_SAFE_INTEGER }: QueuePosition,
  eligible: { _id: string }[],
): Promise<boolean> => {
  const takeable = { $or: eligible.map(({ _id }) => ({ [`attributes.${ABANDONED_BY_FIELD}.${_id}`]: null })) };
  const ahead = { id_project, department, ticket_id: { $lt: ticket }, ...ASSIGNABLE_FILTER, ...takeable };
  return (await readOne(Conversation, ahead, { _id: 1 })) !== null;
};

/** Yields the waiting conversations of these departments, oldest ticket first; reads one page at a time. */
export async function* eachWaiting(id_project: string, departments: string[]): AsyncGenerator<WaitingConversation> {
  for (let ticket = 0; ; ) {
    const behind = { id_project, department: { $in: departments }, ticket_id: { $gt: ticket }, ...ASSIGNABLE_FILTER };
    const page = await Conversation.find(behind, WAITING_FIELDS)
      .sort({ ticket_id: 1 })
      .limit(CONVERSATIONS_PER_PAGE)
      .lean<WaitingConversation[]>();
    yield* page;
    const last = page[CONVERSATIONS_PER_PAGE - 1];
    if (!last) return;
    ticket = last.ticket_id;
  }
}

/** Returns whether the project has a waiting conversation, pending ones included. */
export const hasWaiting = async (id_project: string): Promise<boolean> =>
  (await Conversation.exists({ id_project, ...WAITING_FILTER })) !== null;

/** Yields the ids of the projects with waiting conversations. Each step is one index look-up. */
export async function* projectsWithWaiting(): AsyncGenerator<string> {
  for (let last = ''; ; ) {
    const next = { ...WAITING_FILTER, id_project: { $gt: last } };
    const found = await Conversation.findOne(next, { id_project: 1 }, { anyProject: true })
      .sort({ id_project: 1 })
      .lean();
    if (!found) return;
    last = found.id_project;
    yield last;
  }
}
