/** The waiting queue: conversations without an agent, in ticket order. */
import { readOne } from '../../database/raw-read.ts';
import { Conversation, WAITING_FILTER } from '../../models/conversation.ts';
import { currentTimeMs } from '../../time/clock.ts';

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

/**
 * The filter for waiting conversations that can be assigned. A conversation whose working status is `pending` waits
 * until this status changes.
 */
const ASSIGNABLE_FILTER = { ...WAITING_FILTER, workingStatus: { $ne: 'pending' } } as const;

/** Returns whether a conversation is in the waiting queue and can be assigned now. */
export const isAssignable = (request: {
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

/** Returns the membership ids of the agents who left a conversation, from its attributes. */
export const readAbandonedBy = (attributes: unknown): Set<string> => {
  const { [ABANDONED_BY_FIELD]: abandonedBy } = (attributes ?? {}) as { [ABANDONED_BY_FIELD]?: object | null };
  return new Set(Object.keys(abandonedBy ?? {}));
};

/** A position in a department's part of the waiting queue. */
interface QueuePosition {
  id_project: string;
  department: string;
  /** Ticket number; a new conversation has none and comes last. */
  ticket?: number;
}

/**
 * Returns whether at least one of these agents could take a conversation that is ahead of this position in the queue. A
 * new conversation must not overtake it.
 */
export const hasEarlierTicket = async (
  { id_project, department, ticket = Number.MAX_SAFE_INTEGER }: QueuePosition,
  eligible: { _id: string }[],
): Promise<boolean> => {
  const canBeTaken = { $or: eligible.map(({ _id }) => ({ [`attributes.${ABANDONED_BY_FIELD}.${_id}`]: null })) };
  const ahead = { id_project, department, ticket_id: { $lt: ticket }, ...ASSIGNABLE_FILTER, ...canBeTaken };
  return (await readOne(Conversation, ahead, { _id: 1 })) !== null;
};

/**
 * Yields the assignable waiting conversations of the given departments, oldest ticket first, and reads them page by
 * page.
 */
export async function* assignableConversations(
  id_project: string,
  departments: string[],
): AsyncGenerator<WaitingConversation> {
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

/** Returns whether the project has a waiting conversation, even one whose working status is `pending`. */
export const hasWaitingConversations = async (id_project: string): Promise<boolean> =>
  (await Conversation.exists({ id_project, ...WAITING_FILTER })) !== null;

/** Yields the ids of the projects with waiting conversations. Each id takes one index lookup. */
export async function* projectsWithWaitingConversations(): AsyncGenerator<string> {
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

const MAX_COUNTED = 10_000;

/** Counts the waiting conversations of all projects, at most 10,000, and returns the age of the oldest of them. */
export const countWaiting = async (): Promise<{ count: number; oldestAgeSeconds: number }> => {
  const [totals] = await Conversation.aggregate<{ count: number; oldest: Date }>([
    { $match: { ...WAITING_FILTER, id_project: { $gt: '' } } },
    { $limit: MAX_COUNTED },
    { $group: { _id: null, count: { $sum: 1 }, oldest: { $min: '$createdAt' } } },
  ]).option({ anyProject: true });
  return totals
    ? { count: totals.count, oldestAgeSeconds: (currentTimeMs() - totals.oldest.getTime()) / 1000 }
    : { count: 0, oldestAgeSeconds: 0 };
};
