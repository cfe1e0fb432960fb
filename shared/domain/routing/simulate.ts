/** Dry runs: whom the next conversations would be given to if nothing else happened. */
import { type Choice, choose, NONE } from './choose.ts';
import { type Decision, decisionOf } from './decisions.ts';
import { type Plan, plan } from './plan.ts';
import { creditsOf } from './turns.ts';

/** The plan after a choice: who was chosen has one more. */
const after = (now: Plan, { chosen }: Choice, at: Date): Plan => ({
  ...now,
  agents: now.agents.map((agent) =>
    agent._id === chosen?._id ? { ...agent, open: agent.open + 1, last_assigned_at: at } : agent,
  ),
});

/** The decisions on so many conversations of a plan, a millisecond apart. */
export const decisionsOn = async (plan: Plan, requests: number): Promise<Decision[]> => {
  const { shares, department } = plan;
  const turned = { id_project: department.id_project, department: department._id };
  let credits = shares ? await creditsOf({ ...turned, shares }) : {};
  let now = plan;
  const start = Date.now();
  return Array.from({ length: requests }, (_, i) => {
    const choice = choose(now, { credits });
    const decision = decisionOf(now, { ...choice, left: NONE }, 'arrival');
    now = after(now, choice, new Date(start + i));
    credits = choice.credits;
    return decision;
  });
};

/** What would become of so many conversations that came to a department now, one after the other; 422 for an unknown one. */
export const simulate = async (
  id_project: string,
  department: string | undefined,
  { requests, nobot }: { requests: number; nobot?: boolean },
): Promise<Decision[]> => decisionsOn(await plan(id_project, department, { nobot }), requests);
