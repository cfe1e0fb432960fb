/**
 * Assigns a conversation according to its routing plan: to the agent whom a webhook has selected, otherwise to the
 * department's bot, otherwise to an available agent. If groups share the department by percentage, a weighted round
 * robin selects the group first. One atomic write reserves the agent. The decision, with the reason for each agent, is
 * stored with the conversation.
 */
import type { ClientSession } from 'mongoose';
import { assignmentDecisions } from '../../metrics.ts';
import type { DecisionReason, DecisionTrigger, RoutingOutcome } from '../../models/routing-decision.ts';
import { currentTime } from '../../time/clock.ts';
import { hasCapacity } from '../team/capacity.ts';
import { type ReservedAgent, releaseReservations, reserve } from './reservations.ts';
import {
  type AbandonedByIds,
  type Agent,
  eligibleAgents,
  eligibleShares,
  lastAssignedAt,
  type GroupShare,
  NOT_ABANDONED,
  type RoutingPlan,
} from './routing-plan.ts';
import { hasEarlierTicket } from './waiting-queue.ts';
import { refundTurn, takeTurn } from './weighted-round-robin.ts';

/** A conversation to assign. */
export interface AssignmentInput {
  /** The conversation's `_id`. */
  conversationId: string;
  trigger: DecisionTrigger;
  /** The ticket number. A conversation without a ticket queues behind every waiting conversation. */
  ticket?: number;
  /** Memberships of the agents who left the conversation; they are not eligible. */
  abandonedBy?: AbandonedByIds;
  session?: ClientSession;
}

/** The result of an assignment. */
export interface Assignment {
  participants: string[];
  /** User id of the agent who was reserved. */
  reservedFor?: string;
  decision: Decision;
  /** Undoes the reservation and the group's turn. Absent inside a transaction: an abort undoes both. */
  undo?(): Promise<void>;
}

/** A turn of the weighted round robin: the selected group, and the groups among which it was selected. */
interface GroupTurn {
  groupId: string;
  groups: GroupShare[];
}

interface ReservationResult {
  outcome: RoutingOutcome;
  chosen?: ReservedAgent;
  groupTurn?: GroupTurn;
}

const NO_AGENT: ReservationResult = { outcome: 'nobody' };

const turnKeyOf = ({ department, shares }: RoutingPlan) => ({
  id_project: department.id_project,
  department: department._id,
  shares: shares ?? [],
});

const reserveAmong = (
  { department, limit }: RoutingPlan,
  { conversationId, session }: AssignmentInput,
  eligible: Agent[],
) => {
  const userIds = eligible.map(({ id_user }) => id_user);
  return reserve({ id_project: department.id_project, request: conversationId, limit, userIds, session });
};

/**
 * Reserves an agent of the group whose turn it is. If no agent of that group has capacity left, because other
 * conversations were assigned in the meantime, undoes the turn and tries the other groups.
 */
const reserveInTurn = async (
  plan: RoutingPlan,
  input: AssignmentInput,
  eligible: Agent[],
): Promise<ReservationResult> => {
  const { session } = input;
  for (let groups = eligibleShares(plan.shares ?? [], eligible); groups.length; ) {
    const groupId = await takeTurn(turnKeyOf(plan), groups, session);
    const members = groups.find(({ id_group }) => id_group === groupId)?.members ?? [];
    const groupAgents = eligible.filter(({ id_user }) => members.includes(id_user));
    const chosen = await reserveAmong(plan, input, groupAgents);
    if (chosen) return { outcome: 'assigned', chosen, groupTurn: { groupId, groups } };
    await refundTurn(turnKeyOf(plan), { groupId, groups }, session);
    groups = groups.filter(({ id_group }) => id_group !== groupId);
  }
  return NO_AGENT;
};

/**
 * Reserves the agent whom a webhook has selected, or no agent if the selection is empty. Returns undefined, so that the
 * plan applies, if no webhook has answered, or if the agent is not available or has no capacity left.
 */
const reserveSelected = async (
  plan: RoutingPlan,
  { conversationId, session }: AssignmentInput,
): Promise<ReservationResult | undefined> => {
  const [id_user] = plan.operators ?? [];
  if (!plan.operators) return undefined;
  if (id_user === undefined) return NO_AGENT;
  const { department, limit } = plan;
  const chosen = await reserve({
    ...{ id_project: department.id_project, request: conversationId, limit, userIds: [id_user], session },
  });
  return chosen ? { outcome: 'assigned', chosen } : undefined;
};

const reserveAgent = async (plan: RoutingPlan, input: AssignmentInput): Promise<ReservationResult> => {
  const { _id, id_project, routing } = plan.department;
  const selected = await reserveSelected(plan, input);
  if (selected) return selected;
  if (plan.bot) return { outcome: 'bot' };
  if (routing !== 'assigned') return { outcome: 'pooled' };
  const eligible = eligibleAgents(plan, input.abandonedBy ?? NOT_ABANDONED);
  if (!eligible.length) return NO_AGENT;
  const position = { id_project, department: _id, ticket: input.ticket };
  if (input.trigger !== 'waiting' && (await hasEarlierTicket(position, eligible))) return { outcome: 'in_line' };
  if (plan.shares) return reserveInTurn(plan, input, eligible);
  const chosen = await reserveAmong(plan, input, eligible);
  return chosen ? { outcome: 'assigned', chosen } : NO_AGENT;
};

const undoReservation =
  (plan: RoutingPlan, { conversationId }: AssignmentInput, { chosen, groupTurn }: ReservationResult) =>
  async () => {
    const { id_project } = plan.department;
    if (chosen) await releaseReservations({ _id: conversationId, id_project }, [chosen.id_user]);
    if (groupTurn) await refundTurn(turnKeyOf(plan), groupTurn);
  };

/** Maximum number of decisions stored per conversation. The oldest is dropped first. */
export const MAX_DECISIONS = 5;

/** Maximum number of agents listed per decision. */
const MAX_CONSIDERED = 100;

/** An agent's load when the decision was made, and the reason why the agent was or was not chosen. */
interface ConsideredAgent extends Pick<Agent, 'id_user' | 'open' | 'capacity' | 'last_assigned_at'> {
  reason: DecisionReason;
}

/** A routing decision: one that is stored with a conversation, or one that a dry run predicts (`simulate`). */
export interface Decision {
  at: Date;
  trigger: DecisionTrigger;
  /** Id of the department. */
  department: string;
  outcome: RoutingOutcome;
  /** The participant to whom the conversation was assigned: a user id, or `bot_` and the id of a bot. */
  chosen: string | null;
  group?: string;
  considered: ConsideredAgent[];
  /** Number of considered agents who are not listed. */
  others: number;
}

/** The result of a selection: what `reasonFor` needs to explain it. */
export interface Selection {
  outcome: RoutingOutcome;
  chosen?: Pick<Agent, 'id_user' | 'open' | 'last_assigned_at'>;
  group?: string;
  abandonedBy: AbandonedByIds;
}

/** By outcome: the reason why no agent was chosen, if it is the same for all agents. */
const COMMON_REASONS: Partial<Record<RoutingOutcome, DecisionReason>> = {
  bot: 'bot_first',
  pooled: 'pooled',
  in_line: 'others_wait_longer',
};

const groupReason = ({ shares }: RoutingPlan, { id_user }: Agent, group?: string): DecisionReason | undefined => {
  const own = shares?.filter(({ members }) => members.includes(id_user));
  if (!own) return undefined;
  if (own.every(({ weight }) => weight <= 0)) return 'group_without_share';
  return group && own.every(({ id_group }) => id_group !== group) ? 'turn_of_another_group' : undefined;
};

const compareWithChosen = (agent: Agent, chosen: Selection['chosen']): DecisionReason => {
  if (!chosen || agent.open < chosen.open) return 'changed_meanwhile';
  if (agent.open > chosen.open) return 'has_more_open';
  if (lastAssignedAt(agent) > lastAssignedAt(chosen)) return 'assigned_more_recently';
  return lastAssignedAt(agent) === lastAssignedAt(chosen) ? 'next_in_order' : 'changed_meanwhile';
};

/** Returns why an agent was or was not chosen. `selected_by_webhook`: a webhook selected another agent, or none. */
export const reasonFor = (
  agent: Agent,
  plan: RoutingPlan,
  { outcome, chosen, group, abandonedBy }: Selection,
): DecisionReason => {
  const commonReason = COMMON_REASONS[outcome];
  if (agent.id_user === chosen?.id_user) return 'chosen';
  if (plan.operators && plan.operators[0] === chosen?.id_user) return 'selected_by_webhook';
  if (commonReason) return commonReason;
  if (!plan.isOpen) return 'project_closed';
  if (!agent.available) return 'not_available';
  if (abandonedBy.has(agent._id)) return 'left_this_conversation';
  if (!hasCapacity(agent)) return 'at_capacity';
  return groupReason(plan, agent, group) ?? compareWithChosen(agent, chosen);
};

const consideredAgent = (agent: Agent, reason: DecisionReason): ConsideredAgent => {
  const { id_user, open, capacity, last_assigned_at } = agent;
  return { id_user, reason, open, capacity, last_assigned_at };
};

/** Builds the record of a decision. The chosen agent comes first, so that the limit on listed agents never drops it. */
export const decisionOf = (plan: RoutingPlan, selection: Selection, trigger: DecisionTrigger): Decision => {
  const { outcome, chosen, group } = selection;
  const considered = plan.agents.map((agent) => consideredAgent(agent, reasonFor(agent, plan, selection)));
  const first = considered.filter(({ reason }) => reason === 'chosen');
  return {
    at: currentTime(),
    trigger,
    department: plan.department._id,
    outcome,
    chosen: plan.bot && outcome === 'bot' ? `bot_${plan.bot}` : (chosen?.id_user ?? null),
    ...(group && { group }),
    considered: [...first, ...considered.filter(({ reason }) => reason !== 'chosen')].slice(0, MAX_CONSIDERED),
    others: Math.max(0, considered.length - MAX_CONSIDERED),
  };
};

/**
 * Assigns a conversation according to its plan. Returns the decision with its reasons; `participants` is empty if
 * neither a bot nor an agent was chosen.
 */
export const assignConversation = async (plan: RoutingPlan, input: AssignmentInput): Promise<Assignment> => {
  const reservation = await reserveAgent(plan, input);
  const { outcome, chosen, groupTurn } = reservation;
  assignmentDecisions.inc({ trigger: input.trigger, outcome });
  const abandonedBy = input.abandonedBy ?? NOT_ABANDONED;
  const decision = decisionOf(plan, { outcome, chosen, group: groupTurn?.groupId, abandonedBy }, input.trigger);
  return {
    participants: decision.chosen === null ? [] : [decision.chosen],
    reservedFor: chosen?.id_user,
    decision,
    ...(!input.session && { undo: undoReservation(plan, input, reservation) }),
  };
};
