/** Decides the fields, participants, department and status of a conversation when it is opened. */
import type { RoutingOutcome } from '../../../models/routing-decision.ts';
import { currentTime } from '../../../time/clock.ts';
import { assignConversation, type Decision } from '../../routing/assign-conversation.ts';
import type { RoutingPlan } from '../../routing/routing-plan.ts';
import { releaseReservations, reserve } from '../../routing/reservations.ts';
import { assertTeammates } from '../assignment/followers.ts';
import { SYSTEM_ACTOR } from '../assignment/event-fields.ts';
import { type SelectionContext, selectOperators } from '../assignment/select-operators.ts';
import { type Actor, type ConversationUpdate, isDraftPage, isTeam } from '../conversation.ts';
import type { NewConversation } from '../new-conversation.ts';
import {
  assertUsable,
  currentBot,
  isBot,
  lookUpParticipants,
  OFFLINE_CHANNELS,
  participantFields,
  type ParticipantLookup,
} from '../participants.ts';
import { INITIAL_STATUSES } from '../transitions.ts';

/** Returns the fields of a new conversation that come from its input. */
export const initialFields = (input: NewConversation) => {
  const { first_text, subject, sourcePage, language, userAgent, location, attributes = {} } = input;
  const channel = { name: input.channel?.name ?? 'chat21' };
  return {
    ...{ first_text, subject, sourcePage, language, userAgent, location, attributes },
    channel,
    channelOutbound: channel,
    priority: input.priority ?? 'medium',
    followers: input.followers ?? [],
    preflight: input.preflight ?? false,
    smartAssignment: !OFFLINE_CHANNELS.has(channel.name),
    draft: isDraftPage(attributes.sourcePage) || undefined,
    tags: [],
    notes: [],
  };
};

/** Returns the events of a new conversation. */
export const creationEvents = (
  participants: string[],
  { isReserved, ...name }: { isReserved: boolean; assigneeName?: string },
): ConversationUpdate['events'] => {
  const [assignee] = participants;
  const creation = ['request.create', { bot: currentBot(participants) }] as const;
  if (!assignee || isBot(assignee)) return [[...creation]];
  const assignmentType = isReserved ? 'auto' : 'manual_reassign';
  const to = { assigneeId: assignee, ...name, assigneeType: 'user', assignmentType } as const;
  const from = { previousAssigneeId: null, removedParticipants: [] };
  const actor = { type: 'system', id: SYSTEM_ACTOR.id } as const;
  return [[...creation], ['request.assigned', { ...to, ...from, actor, source: 'create' }]];
};

/**
 * The participants that the caller names. If the caller is a visitor, `teammates` lists the agents among them, who
 * become participants only if they are available and have capacity.
 */
interface InitialParticipants {
  participants: string[];
  teammates: string[];
}

const namedByVisitor = (
  participants: string[],
  { inactiveIds, unknownIds, teammates }: ParticipantLookup,
): InitialParticipants => {
  assertUsable({ unknownIds });
  return { participants: participants.filter((id) => !inactiveIds.includes(id)), teammates };
};

/**
 * Validates the participants and followers that the caller names. Throws 422 for an id that the project does not have,
 * and for an inactive participant. If the caller is a visitor, inactive participants are omitted instead.
 */
export const resolveParticipants = async (
  id_project: string,
  { participants = [], followers }: Pick<NewConversation, 'participants' | 'followers'>,
  actor: Actor,
): Promise<InitialParticipants> => {
  const [known] = await Promise.all([
    participants.length ? lookUpParticipants(id_project, participants) : null,
    followers && assertTeammates(id_project, followers),
  ]);
  if (!known) return { participants, teammates: [] };
  if (!isTeam(actor)) return namedByVisitor(participants, known);
  assertUsable(known);
  return { participants, teammates: [] };
};

/** The conversation for which agents are reserved. */
interface ReservationScope {
  id_project: string;
  /** The conversation's `_id`. */
  request: string;
  /** The capacity of agents without a capacity of their own, or null if it is unlimited. */
  limit: number | null;
}

/**
 * Reserves the teammates whom a visitor names. Returns the participants, except teammates who could not be reserved.
 * `undo` releases the reservations.
 */
const reserveTeammates = async (
  { participants, teammates }: InitialParticipants,
  { id_project, request, limit }: ReservationScope,
) => {
  const reservedIds: string[] = [];
  for (const id of participants.filter((each) => teammates.includes(each)))
    if (await reserve({ id_project, request, limit, userIds: [id] })) reservedIds.push(id);
  return {
    participants: participants.filter((id) => !teammates.includes(id) || reservedIds.includes(id)),
    undo: () => releaseReservations({ _id: request, id_project }, reservedIds),
  };
};

/** The initial fields of a conversation, and how routing chose them. */
interface InitialState {
  fields: ReturnType<typeof participantFields> & {
    hasBot: boolean;
    status: number;
    department?: string;
    assigned_at?: Date;
  };
  /** Absent if the conversation was not routed. */
  decision?: Decision;
  /** The user id of the agent whom routing reserved. */
  reservedFor?: string;
  /** Releases the reservations. */
  undo?(): Promise<void>;
}

/** The row of `INITIAL_STATUSES` for each outcome of routing. */
const STATUS_ROW_BY_OUTCOME = {
  bot: 'the department has a bot',
  assigned: 'department with routing assigned, agent found',
  nobody: 'department with routing assigned, no agent found',
  in_line: 'department with routing assigned, no agent found',
  pooled: 'pooled department',
} as const satisfies Record<RoutingOutcome, keyof typeof INITIAL_STATUSES>;

const routeNewConversation = async (
  conversationId: string,
  defaultPlan: RoutingPlan,
  context: SelectionContext,
): Promise<InitialState> => {
  const plan = defaultPlan.selectors?.length ? await selectOperators(defaultPlan, context) : defaultPlan;
  const assignment = await assignConversation(plan, { conversationId, trigger: 'arrival' });
  const { participants, reservedFor, decision, undo } = assignment;
  const status = INITIAL_STATUSES[STATUS_ROW_BY_OUTCOME[decision.outcome]];
  const assigned_at = participants.length ? currentTime() : undefined;
  const department = plan.department._id;
  const fields = { hasBot: false, ...participantFields(participants), status, department, assigned_at };
  return { fields, reservedFor, decision, undo };
};

/** The participants, the status that the caller requests, and the conversation as webhooks receive it. */
type OpeningOptions = Pick<InitialParticipants, 'participants'> &
  Pick<NewConversation, 'request_status'> & { context: SelectionContext };

const chooseState = async (
  request: string,
  { participants, request_status, context }: OpeningOptions,
  plan: RoutingPlan,
): Promise<InitialState> => {
  const isTemporary = request_status === INITIAL_STATUSES['opened as temporary'];
  if (!isTemporary && !participants.length) return routeNewConversation(request, plan, context);
  const fields = { ...participantFields(participants), hasBot: isBot(participants[0] ?? '') };
  const status = INITIAL_STATUSES[isTemporary ? 'opened as temporary' : 'opened with participants'];
  const department = participants.length ? undefined : plan.department._id;
  return { fields: { ...fields, status, department, assigned_at: isTemporary ? undefined : currentTime() } };
};

/**
 * Returns the initial state of a conversation. `request` is its `_id`. Agents whom a visitor names, and the agent whom
 * routing chooses, are reserved immediately.
 */
export const initialState = async (
  request: string,
  { request_status, context, ...named }: InitialParticipants & OpeningOptions,
  plan: RoutingPlan,
): Promise<InitialState> => {
  const options = { request_status, context };
  if (!named.teammates.length) return chooseState(request, { participants: named.participants, ...options }, plan);
  const { limit, department } = plan;
  const reserved = await reserveTeammates(named, { id_project: department.id_project, request, limit });
  const state = await chooseState(request, { participants: reserved.participants, ...options }, plan);
  return { ...state, undo: async () => void (await Promise.all([reserved.undo(), state.undo?.()])) };
};
