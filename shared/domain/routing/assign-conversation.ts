/**
 * Assigns one conversation by its routing plan: to the department's bot if there is one, otherwise to an available
 * agent. Where groups share the department by percentage, a weighted round robin selects the group first. One atomic
 * write reserves the agent.
 */
import type { ClientSession } from 'mongoose';
import type { DecisionTrigger, RoutingOutcome } from '../../models/routing-decision.ts';
import { type Decision, decisionOf } from './decisions.ts';
import { type ReservedAgent, releaseReservations, reserve } from './reservations.ts';
import type { Agent, GroupShare, RoutingPlan } from './routing-plan.ts';
import { type AbandonedByIds, eligibleAgents, eligibleShares, NOT_ABANDONED } from './eligible-agents.ts';
import { hasEarlierTicket } from './waiting-queue.ts';
import { refundTurn, takeTurn } from './weighted-round-robin.ts';

/** A conversation to be assigned. */
export interface AssignmentRequest {
  /** The conversation's `_id`. */
  request: string;
  trigger: DecisionTrigger;
  /** Its ticket number. A conversation without one queues behind every waiting conversation. */
  ticket?: number;
  /** Memberships of the agents who left the conversation; they are not eligible. */
  abandonedBy?: AbandonedByIds;
  session?: ClientSession;
}

/** The result of an assignment. */
export interface Assignment {
  participants: string[];
  /** Id of the user who was reserved. */
  reservedFor?: string;
  decision: Decision;
  /**
   * Undoes the reservation and the group's turn. Absent inside a transaction, because aborting that has the same
   * effect.
   */
  undo?(): Promise<void>;
}

/** A turn: the group that took it, and the groups among which it was selected. */
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
  { request, session }: AssignmentRequest,
  eligible: Agent[],
) => {
  const userIds = eligible.map(({ id_user }) => id_user);
  return reserve({ id_project: department.id_project, request, limit, userIds, session });
};

/**
 * Reserves an agent of the group whose turn it is. If no agent of that group has capacity left, because other
 * conversations were assigned in the meantime, refunds the turn and tries the other groups.
 */
const reserveInTurn = async (
  plan: RoutingPlan,
  assignmentRequest: AssignmentRequest,
  eligible: Agent[],
): Promise<ReservationResult> => {
  const { session } = assignmentRequest;
  for (let groups = eligibleShares(plan.shares ?? [], eligible); groups.length; ) {
    const groupId = await takeTurn(turnKeyOf(plan), groups, session);
    const members = groups.find(({ id_group }) => id_group === groupId)?.members ?? [];
    const groupAgents = eligible.filter(({ id_user }) => members.includes(id_user));
    const chosen = await reserveAmong(plan, assignmentRequest, groupAgents);
    if (chosen) return { outcome: 'assigned', chosen, groupTurn: { groupId, groups } };
    await refundTurn(turnKeyOf(plan), { groupId, groups }, session);
    groups = groups.filter(({ id_group }) => id_group !== groupId);
  }
  return NO_AGENT;
};

const reserveAgent = async (plan: RoutingPlan, assignmentRequest: AssignmentRequest): Promise<ReservationResult> => {
  const { _id, id_project, routing } = plan.department;
  if (plan.bot) return { outcome: 'bot' };
  if (routing !== 'assigned') return { outcome: 'pooled' };
  const eligible = eligibleAgents(plan, assignmentRequest.abandonedBy ?? NOT_ABANDONED);
  if (!eligible.length) return NO_AGENT;
  const position = { id_project, department: _id, ticket: assignmentRequest.ticket };
  if (assignmentRequest.trigger !== 'waiting' && (await hasEarlierTicket(position, eligible)))
    return { outcome: 'in_line' };
  if (plan.shares) return reserveInTurn(plan, assignmentRequest, eligible);
  const chosen = await reserveAmong(plan, assignmentRequest, eligible);
  return chosen ? { outcome: 'assigned', chosen } : NO_AGENT;
};

const undoReservation =
  (plan: RoutingPlan, { request }: AssignmentRequest, { chosen, groupTurn }: ReservationResult) =>
  async () => {
    const { id_project } = plan.department;
    if (chosen) await releaseReservations({ _id: request, id_project }, [chosen.id_user]);
    if (groupTurn) await refundTurn(turnKeyOf(plan), groupTurn);
  };

/**
 * Assigns a conversation by its plan. Returns the decision with its reasons; `participants` is empty if no agent is
 * available.
 */
export const assignConversation = async (
  plan: RoutingPlan,
  assignmentRequest: AssignmentRequest,
): Promise<Assignment> => {
  const reservation = await reserveAgent(plan, assignmentRequest);
  const { outcome, chosen, groupTurn } = reservation;
  const abandonedBy = assignmentRequest.abandonedBy ?? NOT_ABANDONED;
  const decision = decisionOf(
    plan,
    { outcome, chosen, group: groupTurn?.groupId, abandonedBy },
    assignmentRequest.trigger,
  );
  return {
    participants: decision.chosen === null ? [] : [decision.chosen],
    reservedFor: chosen?.id_user,
    decision,
    ...(!assignmentRequest.session && { undo: undoReservation(plan, assignmentRequest, reservation) }),
  };
};
