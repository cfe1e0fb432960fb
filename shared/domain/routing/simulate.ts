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

/** What would become of so many conversations that came to a department now, one after the other; 422 for an unknown one. */
export const simulate = async (
  id_project: string,
  which: string | undefined,
  { requests, nobot }: { requests: number; nobot?: boolean },
): Promise<Decision[]> => {
  let now = await plan(id_project, which, { nobot });
  const { shares, department } = now;
  let credits = shares ? await creditsOf({ id_project, department: department._id, shares }) : {};
  const start = Date.now();
  return Array.from({ length: requests }, (_, i) => {
    const choice = choose(now, { credits });
    const decision = decisionOf(now, { ...choice, left: NONE }, 'arrival');
    now = after(now, choice, new Date(start + i)); // one of the next millisecond, or they would be in no order
    credits = choice.credits;
    return decision;
  });
};
