/**
 * Reservations: each one takes up one unit of an agent's capacity. Every open conversation that is assigned to an agent
 * has a reservation, unless its working status is pending. `reserve` never exceeds the capacity; a manual assignment
 * (`syncLoad`) may. The write that changes an agent's load also emits an event with the load, at most once per second
 * for each agent.
 */
import type { ClientSession } from 'mongoose';
import { serializeEvents } from '../../database/plugins/event-outbox.ts';
import { CONVERSATION_STATUS } from '../../models/conversation.ts';
import { ACTIVE_MEMBER, ProjectUser, TEAM_ROLE_TYPE } from '../../models/project-user.ts';
import { AGENT_ROLES } from '../../wire/roles.ts';
import { isId } from '../../wire/view.ts';
import { hasCapacityFilter } from '../team/capacity.ts';

/** Returns the filter for a project's agents: active teammates whose role may serve conversations. */
export const agentsFilter = (id_project: string) => ({
  id_project,
  roleType: TEAM_ROLE_TYPE,
  ...ACTIVE_MEMBER,
  role: { $in: [...AGENT_ROLES] },
});

/** The event that reports a changed load. */
export const LOAD_EVENT = 'project_user.update';
export const MIN_LOAD_EVENT_INTERVAL_MS = 1000;

const isEventDue = {
  $lte: [{ $ifNull: ['$load_emitted_at', new Date(0)] }, { $subtract: ['$$NOW', MIN_LOAD_EVENT_INTERVAL_MS] }],
};

/**
 * Returns the stage of an update pipeline that emits `project_user.update`. If that event was emitted within the last
 * second, the stage only sets `load_changed` in the membership, and `emitPendingLoads` emits the event later.
 */
const loadEventStage = (id_project: string) => {
  const text = serializeEvents([[LOAD_EVENT]], { id_project });
  return {
    $set: {
      _events: { $cond: [isEventDue, { $literal: text }, '$_events'] },
      load_emitted_at: { $cond: [isEventDue, '$$NOW', '$load_emitted_at'] },
      load_changed: { $cond: [isEventDue, '$$REMOVE', true] },
    },
  };
};

const COUNT_STAGE = { $set: { number_assigned_requests: { $size: '$reservations' } } };
const TOUCH_STAGE = { $set: { updatedAt: '$$NOW' } };

const addReservationStages = (id_project: string, request: string) => [
  {
    $set: {
      reservations: { $concatArrays: [{ $ifNull: ['$reservations', []] }, [{ request, at: '$$NOW' }]] },
      last_assigned_at: '$$NOW',
    },
  },
  COUNT_STAGE,
  TOUCH_STAGE,
  loadEventStage(id_project),
];

const removeReservationStages = (id_project: string, requests: string[]) => [
  {
    $set: {
      reservations: {
        $filter: { input: { $ifNull: ['$reservations', []] }, cond: { $not: { $in: ['$$this.request', requests] } } },
      },
    },
  },
  COUNT_STAGE,
  TOUCH_STAGE,
  loadEventStage(id_project),
];

/** A conversation that needs an agent, and the users who are eligible. */
export interface ReservationRequest {
  id_project: string;
  /** The conversation's `_id`. */
  request: string;
  /** The project's limit on open conversations, for agents without a limit of their own; null if there is none. */
  limit: number | null;
  /** Ids of the eligible users. */
  userIds: string[];
  session?: ClientSession;
}

/** A reserved agent, with their load before the reservation. */
export interface ReservedAgent {
  id_user: string;
  open: number;
  last_assigned_at: Date | null;
}

/**
 * Reserves the available agent with the fewest open conversations; among several such agents, the one whose last
 * assignment is the oldest. Returns null if no eligible agent has capacity left. The reservation is one atomic write,
 * so concurrent calls never exceed an agent's capacity. Outside a transaction, the caller must release an unused
 * reservation (`releaseReservations`); if the process is killed before that, `sweepReservations` drops it.
 */
export const reserve = async ({
  id_project,
  request,
  limit,
  userIds,
  session,
}: ReservationRequest): Promise<ReservedAgent | null> => {
  const available = {
    ...agentsFilter(id_project),
    user_available: true,
    'reservations.request': { $ne: request },
    id_user: { $in: userIds },
    ...hasCapacityFilter(limit),
  };
  const agent = await ProjectUser.findOneAndUpdate(available, addReservationStages(id_project, request), {
    sort: { number_assigned_requests: 1, last_assigned_at: 1, _id: 1 },
    projection: { id_user: 1, number_assigned_requests: 1, last_assigned_at: 1 },
    returnDocument: 'before',
    updatePipeline: true,
    timestamps: false,
    session,
  }).lean();
  if (!agent) return null;
  const { id_user, number_assigned_requests: open, last_assigned_at } = agent;
  return { id_user: String(id_user), open, last_assigned_at: last_assigned_at ?? null };
};

/** The conversation that a reservation is for. */
interface ConversationRef {
  _id: unknown;
  id_project: string;
}

const holdersFilter = ({ id_project }: ConversationRef, users: string[]) => ({
  id_project,
  id_user: { $in: users.filter(isId) },
});

/** Removes these conversations from one agent's load. */
export const dropReservations = (holder: { id_project: string; id_user?: string }, requests: string[]) =>
  ProjectUser.updateOne(holder, removeReservationStages(holder.id_project, requests), {
    updatePipeline: true,
    timestamps: false,
  });

/** Removes a conversation from the load of these users. */
export const releaseReservations = async (
  request: ConversationRef,
  users: string[],
  session?: ClientSession,
): Promise<void> => {
  const holders = { ...holdersFilter(request, users), 'reservations.request': String(request._id) };
  if (!holders.id_user.$in.length) return;
  const stages = removeReservationStages(request.id_project, [String(request._id)]);
  await ProjectUser.updateMany(holders, stages, { session, updatePipeline: true, timestamps: false });
};

const addReservations = async (request: ConversationRef, users: string[], session: ClientSession): Promise<void> => {
  const others = { ...holdersFilter(request, users), 'reservations.request': { $ne: String(request._id) } };
  if (!others.id_user.$in.length) return;
  const stages = addReservationStages(request.id_project, String(request._id));
  await ProjectUser.updateMany(others, stages, { session, updatePipeline: true, timestamps: false });
};

/** The fields of a conversation that decide whose load includes it. */
interface AssignmentState {
  status: number;
  workingStatus?: string | null;
  participantsAgents: string[];
}

/**
 * Returns the users whose load includes the conversation: its agents, unless the conversation is closed or its working
 * status is pending.
 */
export const assignees = ({ status, workingStatus, participantsAgents }: AssignmentState): string[] =>
  status < CONVERSATION_STATUS.closed && workingStatus !== 'pending' ? participantsAgents : [];

/**
 * Updates the load of the agents after a conversation has changed from `before` to `after`. `reservedFor` is the user
 * whom `reserve` returned for the conversation.
 */
export const syncLoad = async (
  before: (AssignmentState & { reservedFor?: string }) | null,
  after: AssignmentState & ConversationRef,
  session: ClientSession,
): Promise<void> => {
  const { reservedFor = '' } = before ?? {};
  const [former, current] = [[...(before ? assignees(before) : []), reservedFor], assignees(after)];
  const removed = former.filter((user) => !current.includes(user));
  const added = current.filter((user) => !former.includes(user));
  await releaseReservations(after, removed, session);
  await addReservations(after, added, session);
};

/** Emits the pending load events of all projects. */
export const emitPendingLoads = async (): Promise<void> => {
  const options = { updatePipeline: true, timestamps: false } as const;
  const pending = { load_changed: true };
  for (const id_project of await ProjectUser.distinct('id_project', pending, { anyProject: true }))
    await ProjectUser.updateMany({ id_project, ...pending }, [loadEventStage(id_project)], options);
};
