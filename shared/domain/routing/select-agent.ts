/**
 * Selects an agent from a routing plan without a query, in the order that `reserve` uses, for dry runs. Also determines
 * why each agent was or was not chosen.
 */
import type { DecisionReason, RoutingOutcome } from '../../models/routing-decision.ts';
import { hasFreeSlot } from '../team/capacity.ts';
import type { Agent, GroupShare, RoutingPlan } from './routing-plan.ts';
import { type GroupCredits, nextTurn } from './weighted-round-robin.ts';

/** Ids of the memberships whose agents left the conversation. */
export type AbandonedByIds = ReadonlySet<string>;

export const NOT_ABANDONED: AbandonedByIds = new Set();

/** Returns the agents to whom the conversation can be assigned now, in the order of `reserve`. */
export const eligibleAgents = ({ agents, isOpen }: RoutingPlan, abandonedBy: AbandonedByIds): Agent[] =>
  isOpen
    ? agents
        .filter((agent) => agent.available && !abandonedBy.has(agent._id) && hasFreeSlot(agent))
        .toSorted(compareAgents)
    : [];

const lastAssignedAt = ({ last_assigned_at }: Pick<Agent, 'last_assigned_at'>): number =>
  last_assigned_at?.getTime() ?? 0;

const compareAgents = (one: Agent, other: Agent): number =>
  one.open - other.open || lastAssignedAt(one) - lastAssignedAt(other) || (one._id < other._id ? -1 : 1);

/** Returns the groups with a positive weight and at least one eligible agent. */
export const eligibleShares = (shares: GroupShare[], eligible: Agent[]): GroupShare[] => {
  const ids = new Set(eligible.map(({ id_user }) => id_user));
  return shares.filter(({ weight, members }) => weight > 0 && members.some((id) => ids.has(id)));
};

/** Returns whether all agents of the plan left the conversation; false for a plan without agents. */
export const isAbandonedByAll = ({ agents }: RoutingPlan, abandonedBy: AbandonedByIds): boolean =>
  agents.length > 0 && agents.every(({ _id }) => abandonedBy.has(_id));

/** A selected agent, and the credits of the groups after the selection. */
export interface AgentChoice {
  outcome: RoutingOutcome;
  chosen?: Agent;
  /** Id of the group whose turn it was. */
  group?: string;
  credits: GroupCredits;
}

/** Selects the agent that routing would assign now. */
export const selectAgent = (
  plan: RoutingPlan,
  { abandonedBy = NOT_ABANDONED, credits = {} }: { abandonedBy?: AbandonedByIds; credits?: GroupCredits } = {},
): AgentChoice => {
  if (plan.bot) return { outcome: 'bot', credits };
  if (plan.department.routing !== 'assigned') return { outcome: 'pooled', credits };
  const eligible = eligibleAgents(plan, abandonedBy);
  const groups = plan.shares && eligibleShares(plan.shares, eligible);
  if (!eligible.length || groups?.length === 0) return { outcome: 'nobody', credits };
  if (!groups) return { outcome: 'assigned', chosen: eligible[0], credits };
  const { groupId, credits: after } = nextTurn(credits, groups);
  const members = groups.find(({ id_group }) => id_group === groupId)?.members ?? [];
  const chosen = eligible.find(({ id_user }) => members.includes(id_user));
  return { outcome: 'assigned', chosen, group: groupId, credits: after };
};

/** The result of a selection, for which `reasonFor` gives the reasons. */
export interface Selection {
  outcome: RoutingOutcome;
  chosen?: Pick<Agent, 'id_user' | 'open' | 'last_assigned_at'>;
  group?: string;
  abandonedBy: AbandonedByIds;
}

/** Outcomes with the same reason for every agent. */
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

/** Returns why an agent was or was not chosen. */
export const reasonFor = (
  agent: Agent,
  plan: RoutingPlan,
  { outcome, chosen, group, abandonedBy }: Selection,
): DecisionReason => {
  const commonReason = COMMON_REASONS[outcome];
  if (agent.id_user === chosen?.id_user) return 'chosen';
  if (commonReason) return commonReason;
  if (!plan.isOpen) return 'project_closed';
  if (!agent.available) return 'not_available';
  if (abandonedBy.has(agent._id)) return 'left_this_conversation';
  if (!hasFreeSlot(agent)) return 'at_capacity';
  return groupReason(plan, agent, group) ?? compareWithChosen(agent, chosen);
};
