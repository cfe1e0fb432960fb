/** Routes an existing conversation again: computes its new department, participants, status and events. */
import type { ClientSession } from 'mongoose';
import type { DecisionTrigger } from '../../../models/routing-decision.ts';
import { currentTime } from '../../../time/clock.ts';
import { type Assignment, assignConversation } from '../../routing/assign-conversation.ts';
import { assignees, releaseReservations } from '../../routing/reservations.ts';
import { availableAgents, candidateAgents, isAbandonedByAll, type RoutingPlan } from '../../routing/routing-plan.ts';
import { readAbandonedBy } from '../../routing/waiting-queue.ts';
import type { Actor, ConversationUpdate, StoredConversation } from '../conversation.ts';
import { nextStatus, type Transition } from '../transitions.ts';
import { assigneeName, isBot, participantFields } from '../participants.ts';
import { eventActor, eventSource } from './event-fields.ts';

/** The routing plan to apply, what triggered the routing, and the actor. */
export interface Reassignment {
  plan: RoutingPlan;
  trigger: Exclude<DecisionTrigger, 'arrival'>;
  actor: Actor;
}

const sourceOf = ({ trigger, actor }: Reassignment) => (trigger === 'waiting' ? 'queue' : eventSource(actor));

const eventAssignee = async (
  before: StoredConversation,
  { participants: [first] }: Assignment,
  reassignment: Reassignment,
) => {
  const { department } = reassignment.plan;
  const name = await assigneeName(before.id_project, first);
  const isMoved = reassignment.trigger === 'departments' && department._id !== before.department;
  const assignmentType = isMoved ? 'manual_reassign_department' : 'auto';
  if (first)
    return { assigneeId: first, ...name, assigneeType: isBot(first) ? 'bot' : 'user', assignmentType } as const;
  const toDepartment = {
    assigneeId: department._id,
    assigneeName: department.name,
    assigneeType: 'department',
  } as const;
  if (isMoved) return { ...toDepartment, assignmentType } as const;
  return { assigneeId: null, assigneeType: 'user', assignmentType: 'unassign' } as const;
};

const reassignmentEvents = async (
  before: StoredConversation,
  assignment: Assignment,
  reassignment: Reassignment,
): Promise<ConversationUpdate['events']> => {
  const { participants } = assignment;
  const removedParticipants = before.participants.filter((id) => !participants.includes(id));
  const addedParticipants = participants.filter((id) => !before.participants.includes(id));
  const beforeRequest = { participants: before.participants, status: before.status };
  const patch = { department: reassignment.plan.department._id, participants };
  const assignee = await eventAssignee(before, assignment, reassignment);
  const from = { previousAssigneeId: before.participants[0] ?? null, removedParticipants };
  const payload = { ...assignee, ...from, actor: eventActor(reassignment.actor), source: sourceOf(reassignment) };
  const events: ConversationUpdate['events'] = [
    'request.update',
    ['request.updated', { comment: 'REROUTE', patch }],
    ['request.participants.update', { beforeRequest, removedParticipants, addedParticipants }],
  ];
  if (assignee.assigneeId !== null || removedParticipants.length) events.push(['request.assigned', payload]);
  return [...events, 'request.department.update'];
};

const TRANSITION_PREFIXES = {
  departments: 'change of department or agent',
  agent: 'change of department or agent',
  assign: 'assign',
} as const;

/** Returns the row of `TRANSITIONS` that applies. */
const transitionOf = (trigger: Reassignment['trigger'], isAssigneeFound: boolean): Transition => {
  if (trigger === 'waiting') return 'waiting, agent becomes available';
  const result = isAssigneeFound ? 'assignee found' : 'no assignee found';
  return trigger === 'preflight'
    ? `preflight ends without a bot, ${result}`
    : `${TRANSITION_PREFIXES[trigger]}, ${result}`;
};

/** Returns the row for a conversation that all agents of the plan have left and whose assignment does not change. */
const abandonedTransitionOf = (trigger: keyof typeof TRANSITION_PREFIXES, isAssigneeFound: boolean): Transition =>
  isAssigneeFound
    ? 'change of department or agent, same assignee found, abandoned by all agents'
    : `${TRANSITION_PREFIXES[trigger]}, no assignee found, assignment unchanged, abandoned by all agents`;

const isSameList = (one: string[], other: string[]): boolean => one.join(' ') === other.join(' ');

/** An assignment, and whether all agents of the routing plan have already left the conversation. */
type PlacementResult = Assignment & { isAbandoned: boolean };

/** Returns the status after routing, or null if nothing changes. */
const statusAfter = (
  before: StoredConversation,
  { participants, isAbandoned }: PlacementResult,
  { trigger, plan }: Reassignment,
) => {
  const isAssigneeFound = participants.length > 0;
  if (trigger === 'waiting' && !isAssigneeFound) return null;
  const status = nextStatus(transitionOf(trigger, isAssigneeFound), before.status);
  const isUnchanged =
    status === before.status &&
    plan.department._id === before.department &&
    isSameList(participants, before.participants);
  if (!isUnchanged || trigger === 'preflight' || trigger === 'waiting') return status;
  return isAbandoned ? nextStatus(abandonedTransitionOf(trigger, isAssigneeFound), before.status) : null;
};

/** Returns the plan with this conversation subtracted from the loads of its current assignees. */
const withoutOwnLoad = (plan: RoutingPlan, assigneeIds: string[]): RoutingPlan => ({
  ...plan,
  agents: plan.agents.map((agent) =>
    assigneeIds.includes(agent.id_user) ? { ...agent, open: Math.max(0, agent.open - 1) } : agent,
  ),
});

/** Returns the fields that routing sets, except the status. */
const reassignedFields = ({ plan }: Reassignment, { participants }: Assignment): ConversationUpdate['set'] => ({
  hasBot: false,
  ...participantFields(participants),
  department: plan.department._id,
  agents: candidateAgents(plan),
  'snapshot.department': plan.department,
  'snapshot.availableAgentsCount': availableAgents(plan).length,
  ...(participants.length && { assigned_at: currentTime() }),
});

const abandonedField = ({ attributes }: StoredConversation, isAbandoned: boolean): ConversationUpdate['set'] =>
  isAbandoned === (attributes?.fully_abandoned === true) ? {} : { 'attributes.fully_abandoned': isAbandoned };

const hasHumanAssignee = ([first]: string[]): boolean => first !== undefined && !isBot(first);

/**
 * Routes a conversation again, within the transaction that changes it. The reservations of its current assignees are
 * released first, and these agents remain eligible. Returns null if nothing changes. In this case, the reservation that
 * routing makes is kept, because it is for the current assignee.
 */
export const reassign = async (
  before: StoredConversation,
  reassignment: Reassignment,
  session: ClientSession,
): Promise<ConversationUpdate | null> => {
  const assigneeIds = assignees(before);
  const abandonedBy = readAbandonedBy(before.attributes);
  const plan = withoutOwnLoad(reassignment.plan, assigneeIds);
  await releaseReservations(before, assigneeIds, session);
  const { trigger } = reassignment;
  const ticket = before.ticket_id ?? undefined;
  const assignment = await assignConversation(plan, {
    conversationId: String(before._id),
    ticket,
    trigger,
    abandonedBy,
    session,
  });
  const isAbandoned = isAbandonedByAll(plan, abandonedBy);
  const status = statusAfter(before, { ...assignment, isAbandoned }, reassignment);
  if (status === null) return null;
  const { participants, reservedFor, decision } = assignment;
  return {
    set: { ...reassignedFields(reassignment, assignment), status, ...abandonedField(before, isAbandoned) },
    drop: ['waiting_time'],
    events: await reassignmentEvents(before, assignment, reassignment),
    ...(hasHumanAssignee(participants) && { systemMessage: 'TOUCHING_OPERATOR' as const }),
    reservedFor,
    decision,
  };
};
