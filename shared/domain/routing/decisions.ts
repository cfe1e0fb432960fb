/** Why a conversation went where it went: the latest decisions stand in a hidden field of it, written in the same write. */
import type { Outcome, Reason, Trigger } from '../../models/decision.ts';
import { type Made, reasonFor } from './choose.ts';
import type { Agent, Plan } from './plan.ts';

/** How many decisions a conversation keeps. */
export const KEPT = 5;

/** How many teammates a decision tells of. */
const MOST = 100;

/** A teammate as it was when the decision was made. */
interface Considered extends Pick<Agent, 'id_user' | 'open' | 'capacity' | 'last_assigned_at'> {
  reason: Reason;
}

/** A decision as it is kept. */
export interface Decision {
  at: Date;
  trigger: Trigger;
  /** Id of the department. */
  department: string;
  outcome: Outcome;
  /** The participant that it was given to. */
  chosen: string | null;
  group?: string;
  considered: Considered[];
  /** How many more were considered than are told. */
  others: number;
}

const told = (agent: Agent, reason: Reason): Considered => {
  const { id_user, open, capacity, last_assigned_at } = agent;
  return { id_user, reason, open, capacity, last_assigned_at };
};

/** The decision that was made on a plan, whoever was chosen first. */
export const decisionOf = (plan: Plan, made: Made, trigger: Trigger): Decision => {
  const { outcome, chosen, group } = made;
  const considered = plan.agents.map((agent) => told(agent, reasonFor(agent, plan, made)));
  const first = considered.filter(({ reason }) => reason === 'chosen');
  const rest = considered.filter(({ reason }) => reason !== 'chosen');
  return {
    at: new Date(),
    trigger,
    department: plan.department._id,
    outcome,
    chosen: plan.bot && outcome === 'bot' ? `bot_${plan.bot}` : (chosen?.id_user ?? null),
    ...(group && { group }),
    considered: [...first, ...rest].slice(0, MOST),
    others: Math.max(0, considered.length - MOST),
  };
};
