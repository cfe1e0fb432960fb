/** Lets a webhook select who gets a conversation: the event `operator.select`. */
import { z } from 'zod';
import { readDepartmentAgents } from '../../routing/department-agents.ts';
import { findBot, type RoutingPlan } from '../../routing/routing-plan.ts';
import { askSubscriber } from '../../webhooks/ask-subscriber.ts';
import { botIdOf, isBot } from '../participants.ts';

/** What is being assigned, as the webhook receives it. */
export interface SelectionContext {
  request: object;
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

/** Returns the plan with the operators of an answer. A bot that the project does not have changes nothing. */
const withOperators = async (plan: RoutingPlan, operators: string[]): Promise<RoutingPlan> => {
  const [first] = operators;
  if (first === undefined || !isBot(first)) return { ...plan, operators };
  const bot = await findBot({ id_project: plan.department.id_project, id_bot: botIdOf(first) });
  return bot ? { ...plan, bot } : plan;
};

/**
 * Posts the result of routing to the subscriptions to `operator.select`, and returns the plan with the operators of the
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
