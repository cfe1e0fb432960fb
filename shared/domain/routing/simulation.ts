/** Dry runs: predict which agents would be assigned the next conversations of a department if nothing else changed. */
import { currentTimeMs } from '../../time/clock.ts';
import * as departments from '../departments/departments.ts';
import type { RoutingOutcome } from '../../models/routing-decision.ts';
import { type Decision, decisionOf } from './assign-conversation.ts';
import {
  type AbandonedByIds,
  type Agent,
  eligibleAgents,
  eligibleShares,
  NOT_ABANDONED,
  planRouting,
  type RoutingPlan,
} from './routing-plan.ts';
import { type GroupCredits, nextTurn, readCredits } from './weighted-round-robin.ts';

/** Maximum number of agents listed in one response, for all of its simulated arrivals together. */
const MAX_CONSIDERED_IN_REPLY = 10_000;

/** A predicted choice, and the credits of the groups after it (see `weighted-round-robin.ts`). */
export interface AgentChoice {
  outcome: RoutingOutcome;
  chosen?: Agent;
  /** Id of the group whose turn it was. */
  group?: string;
  credits: GroupCredits;
}

/**
 * Predicts, from the plan and the credits alone, which agent routing would assign now. Reserves nothing and reads
 * nothing.
 */
export const predictChoice = (
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

/** Returns the plan after a choice: the chosen agent has one more open conversation. */
const planAfter = (plan: RoutingPlan, { chosen }: AgentChoice, at: Date): RoutingPlan => ({
  ...plan,
  agents: plan.agents.map((agent) =>
    agent._id === chosen?._id ? { ...agent, open: agent.open + 1, last_assigned_at: at } : agent,
  ),
});

/** Simulates the arrival of `requests` conversations, one after the other. Errors: 422 for an unknown department. */
export const simulate = async (
  id_project: string,
  departmentId: string | undefined,
  { requests, nobot }: { requests: number; nobot?: boolean },
): Promise<Decision[]> => {
  let plan = await planRouting(id_project, departmentId, { nobot });
  const { shares, department } = plan;
  let credits = shares ? await readCredits({ id_project, department: department._id, shares }) : {};
  const start = currentTimeMs();
  return Array.from({ length: requests }, (_, index) => {
    const choice = predictChoice(plan, { credits });
    const decision = decisionOf(plan, { ...choice, abandonedBy: NOT_ABANDONED }, 'arrival');
    // Each arrival has a different time, because among agents with the same load, the one whose last assignment is the
    // oldest is chosen.
    plan = planAfter(plan, choice, new Date(start + index));
    credits = choice.credits;
    return decision;
  });
};

/** Returns the fields of a decision that the response contains for a simulated arrival, with up to `limit` agents. */
const arrivalView = ({ outcome, chosen, group, considered, others }: Decision, limit: number) => ({
  ...{ outcome, chosen, group },
  considered: considered.slice(0, limit),
  others: others + Math.max(0, considered.length - limit),
});

/**
 * Simulates arrivals in a department and returns them in the form that the API returns. Errors: 404 for an unknown
 * department.
 */
export const runDryRun = async (
  id_project: string,
  departmentId: string,
  options: { requests: number; nobot: boolean },
) => {
  const { _id } = await departments.read(id_project, departmentId, { detailed: false });
  const decisions = await simulate(id_project, String(_id), options);
  const limit = Math.max(1, Math.floor(MAX_CONSIDERED_IN_REPLY / options.requests));
  return { department: String(_id), arrivals: decisions.map((decision) => arrivalView(decision, limit)) };
};
