/** Dry runs: which agents would get the next conversations of a department if nothing else happened. */
import * as departments from '../departments/departments.ts';
import { type Decision, decisionOf } from './decisions.ts';
import { planRouting, type RoutingPlan } from './routing-plan.ts';
import { type AgentChoice, NOT_ABANDONED, selectAgent } from './select-agent.ts';
import { readCredits } from './weighted-round-robin.ts';

/** Maximum number of agents listed in one reply, over all its arrivals. */
const MAX_CONSIDERED_IN_REPLY = 10_000;

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
  const start = Date.now();
  return Array.from({ length: requests }, (_, index) => {
    const choice = selectAgent(plan, { credits });
    const decision = decisionOf(plan, { ...choice, abandonedBy: NOT_ABANDONED }, 'arrival');
    // The times differ, because their order selects the next agent.
    plan = planAfter(plan, choice, new Date(start + index));
    credits = choice.credits;
    return decision;
  });
};

/** The fields of a decision that a simulated arrival has. */
const arrivalView = ({ outcome, chosen, group, considered, others }: Decision, limit: number) => ({
  ...{ outcome, chosen, group },
  considered: considered.slice(0, limit),
  others: others + Math.max(0, considered.length - limit),
});

/** Simulates arrivals in a department and returns them as the API shows them. Errors: 404 for an unknown department. */
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
