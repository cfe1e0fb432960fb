/**
 * Records why a conversation was assigned to an agent or not. The write that assigns a conversation also stores the
 * latest decisions in a hidden field of it.
 */
import type { DecisionReason, DecisionTrigger, RoutingOutcome } from '../../models/routing-decision.ts';
import { hasCapacity } from '../team/capacity.ts';
import { type AbandonedByIds, lastAssignedAt } from './eligible-agents.ts';
import type { Agent, RoutingPlan } from './routing-plan.ts';

/** Decisions stored per conversation; the oldest is dropped first. */
export const MAX_DECISIONS = 5;

/** Agents listed per decision. */
const MAX_CONSIDERED = 100;

/** An agent's load when the decision was made, and the reason for the result. */
interface ConsideredAgent extends Pick<Agent, 'id_user' | 'open' | 'capacity' | 'last_assigned_at'> {
  reason: DecisionReason;
}

/** A decision as it is stored. */
export interface Decision {
  at: Date;
  trigger: DecisionTrigger;
  /** Id of the department. */
  department: string;
  outcome: RoutingOutcome;
  /** The participant that got the conversation: a user id, or `bot_` and the id of a bot. */
  chosen: string | null;
  group?: string;
  considered: ConsideredAgent[];
  /** Number of considered agents that are not listed. */
  others: number;
}

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
  if (!hasCapacity(agent)) return 'at_capacity';
  return groupReason(plan, agent, group) ?? compareWithChosen(agent, chosen);
};

const consideredAgent = (agent: Agent, reason: DecisionReason): ConsideredAgent => {
  const { id_user, open, capacity, last_assigned_at } = agent;
  return { id_user, reason, open, capacity, last_assigned_at };
};

/** Builds the record of a decision. The chosen agent is listed first, so that the limit never cuts it off. */
export const decisionOf = (plan: RoutingPlan, selection: Selection, trigger: DecisionTrigger): Decision => {
  const { outcome, chosen, group } = selection;
  const considered = plan.agents.map((agent) => consideredAgent(agent, reasonFor(agent, plan, selection)));
  const first = considered.filter(({ reason }) => reason === 'chosen');
  const rest = considered.filter(({ reason }) => reason !== 'chosen');
  return {
    at: new Date(),
    trigger,
    department: plan.department._id,
    outcome,
    chosen: plan.bot && outcome === 'bot' ? `bot_${plan.bot}` : (chosen?.id_user ?? null),
    ...(group && { group }),
    considered: [...first, ...rest].slice(0, MAX_CONSIDERED),
    others: Math.max(0, considered.length - MAX_CONSIDERED),
  };
};
