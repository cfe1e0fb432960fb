/**
 * Routing decisions, as stored in the records of conversations and returned by the API. They have no collection of
 * their own.
 */
import { z } from 'zod';
import { Time, view } from '../wire/view.ts';

/** What triggered a decision. */
const DecisionTrigger = z.enum([
  'arrival', // the conversation was opened
  'preflight', // its preflight has ended
  'departments', // it was moved to a department
  'assign', // a call requested its assignment
  'agent', // it was handed over to an agent
  'waiting', // it waits, and an agent may have become available
]);

/** The outcome of routing a conversation. */
const RoutingOutcome = z.enum([
  'bot',
  'assigned', // to an agent
  'pooled', // agents join the conversation themselves
  'in_line', // it waits behind an earlier conversation that is waiting for one of the same agents
  'nobody', // it waits, because no agent can take it or a webhook has selected none
]);

/** Why a teammate was or was not chosen. Every reason except `chosen` applies to a teammate who was not chosen. */
const DecisionReason = z.enum([
  'chosen', // also for an agent whom a webhook has selected
  'bot_first', // the conversation goes to the bot of the department
  'pooled', // the routing of the department is `pooled`, which chooses no agent
  'others_wait_longer', // the outcome is `in_line`
  'project_closed', // outside the operating hours
  'not_available',
  'left_this_conversation',
  'at_capacity',
  'group_without_share', // the agent's groups receive 0% of the conversations
  'turn_of_another_group',
  'has_more_open', // more open conversations than the chosen agent
  'assigned_more_recently', // as many open conversations as the chosen agent, but a later last assignment
  'next_in_order', // as many open conversations as the chosen agent, and the same time of the last assignment
  'changed_meanwhile', // the agent's load has changed since it was read, so the listed load does not explain the choice
  'selected_by_webhook', // a webhook has selected another agent, or no agent
]);

const ConsideredAgent = z.strictObject({
  id_user: z.string(),
  reason: DecisionReason,
  open: z.number().meta({ description: 'Open conversations' }),
  capacity: z.number().nullable().meta({ description: 'Maximum number of open conversations; null for no limit' }),
  last_assigned_at: Time.nullable(),
});

/** The decision of a dry run for a hypothetical conversation. */
export const SimulatedDecisionView = view('SimulatedDecision', {
  outcome: RoutingOutcome,
  chosen: z.string().nullable().meta({ description: 'A user id, or `bot_` followed by the id of a bot' }),
  group: z.string().optional().meta({ description: 'Id of the group whose turn it was' }),
  considered: z.array(ConsideredAgent),
  others: z.number().meta({ description: 'Number of considered agents who are not listed' }),
});

/** A routing decision for a conversation. */
export const RoutingDecisionView = SimulatedDecisionView.extend({
  at: Time,
  trigger: DecisionTrigger,
  department: z.string().meta({ description: 'Id of the department' }),
}).meta({ id: 'RoutingDecision' });

export type DecisionTrigger = z.output<typeof DecisionTrigger>;
export type RoutingOutcome = z.output<typeof RoutingOutcome>;
export type DecisionReason = z.output<typeof DecisionReason>;
