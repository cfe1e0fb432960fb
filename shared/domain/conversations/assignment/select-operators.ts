/** Lets a webhook for the event `operator.select` choose the operators (agents or a bot) who get a conversation. */
import { z } from 'zod';
import { readDepartmentAgents } from '../../routing/department-agents.ts';
import { findBot, findSelectors, planRouting, type RoutingPlan } from '../../routing/routing-plan.ts';
import { hasCapacity } from '../../team/capacity.ts';
import { askSubscriber } from '../../webhooks/ask-subscriber.ts';
import { botIdOf, isBot } from '../participants.ts';

/** What is being assigned, as the webhook receives it. */
export interface SelectionContext {
  /** The conversation; absent if a caller only reads which operator would be selected. */
  request?: object;
}

const UserId = z.union([z.string(), z.object({ _id: z.string() }).transform(({ _id }) => _id)]);
const Answer = z.object({ operators: z.array(z.object({ id_user: UserId })) });

const payloadOf = async (
  { department: { id_project, _id }, bot }: RoutingPlan,
  context: SelectionContext,
): Promise<object> => {
  const result = await readDepartmentAgents(id_project, _id, { nobot: bot === undefined, unlimited: false });
  return { ...result, id_project, context };
};

/**
 * Returns the plan with the operators from a subscriber's answer. If the answer names a bot that the project does not
 * have, the plan is unchanged.
 */
const withOperators = async (plan: RoutingPlan, operators: string[]): Promise<RoutingPlan> => {
  const [first] = operators;
  if (first === undefined || !isBot(first)) return { ...plan, operators };
  const bot = await findBot({ id_project: plan.department.id_project, id_bot: botIdOf(first) });
  return bot ? { ...plan, bot } : plan;
};

/**
 * Posts the result of routing to the subscriptions to `operator.select`, and returns the plan with the operators in the
 * first answer that contains `operators`. Without such an answer, the plan is unchanged.
 */
export const selectOperators = async (plan: RoutingPlan, context: SelectionContext): Promise<RoutingPlan> => {
  const { department, selectors } = plan;
  if (!selectors?.length) return plan;
  const { id_project } = department;
  const payload = await payloadOf(plan, context);
  for (const subscription of selectors) {
    const { data } = Answer.safeParse(await askSubscriber({ id_project, subscription }, payload));
    if (data)
      return withOperators(
        plan,
        data.operators.map(({ id_user }) => id_user),
      );
  }
  return plan;
};

/**
 * Reads the agents of a department as `readDepartmentAgents` does. If a subscriber to `operator.select` selects a bot,
 * or an agent who is available and has capacity, `operators` contains only that operator; if it selects no one,
 * `operators` is empty. With `unlimited`, which ignores all limits on open conversations, no subscriber is called.
 * Errors: 404 for an unknown department.
 */
export const readSelectedAgents = async (
  id_project: string,
  departmentId: string,
  { nobot, unlimited }: Parameters<typeof readDepartmentAgents>[2],
) => {
  const result = await readDepartmentAgents(id_project, departmentId, { nobot, unlimited });
  if (unlimited || !(await findSelectors(id_project)).length) return result;
  const plan = await planRouting(id_project, String(result.department._id), { nobot });
  const { bot, operators } = await selectOperators(plan, {});
  if (bot !== undefined && bot !== plan.bot) return { ...result, operators: [{ id_user: `bot_${bot}` }], id_bot: bot };
  if (!operators?.length) return operators ? { ...result, operators: [] } : result;
  const selected = plan.agents.find(({ id_user }) => id_user === operators[0]);
  const isUsable = selected?.available && hasCapacity(selected);
  return isUsable
    ? { ...result, operators: result.agents.filter(({ id_user }) => String(id_user) === selected.id_user) }
    : result;
};
