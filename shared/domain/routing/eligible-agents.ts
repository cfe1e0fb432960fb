/** Which agents and groups can be assigned a conversation now, in the order in which `reserve` chooses them. */
import { hasCapacity } from '../team/capacity.ts';
import type { Agent, GroupShare, RoutingPlan } from './routing-plan.ts';

/** Ids of the memberships whose agents left the conversation. */
export type AbandonedByIds = ReadonlySet<string>;

export const NOT_ABANDONED: AbandonedByIds = new Set();

/** Returns the agents to whom the conversation can be assigned now, in the order of `reserve`. */
export const eligibleAgents = ({ agents, isOpen }: RoutingPlan, abandonedBy: AbandonedByIds): Agent[] =>
  isOpen
    ? agents
        .filter((agent) => agent.available && !abandonedBy.has(agent._id) && hasCapacity(agent))
        .toSorted(compareAgents)
    : [];

/** The time of the last assignment in milliseconds; 0 for an agent without one. */
export const lastAssignedAt = ({ last_assigned_at }: Pick<Agent, 'last_assigned_at'>): number =>
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
