/**
 * Records why a conversation was assigned to an agent or not. The write that assigns a conversation also stores the
 * latest decisions in a hidden field of it.
 */
import type { DecisionReason, DecisionTrigger, RoutingOutcome } from '../../models/routing-decision.ts';
import type { Agent, RoutingPlan } from './routing-plan.ts';
import { reasonFor, type Selection } from './select-agent.ts';

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
