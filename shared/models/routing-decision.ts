/** Routing decisions, as stored in conversations and returned by the API. */
import { z } from 'zod';
import { Time, view } from '../wire/view.ts';

/** What triggered a decision. */
const DecisionTrigger = z.enum(['arrival', 'preflight', 'departments', 'assign', 'agent', 'waiting']);

/** The outcome of routing a conversation. */
const RoutingOutcome = z.enum(['bot', 'assigned', 'pooled', 'in_line', 'nobody']);

/** Why a teammate was or was not chosen. */
const DecisionReason = z.enum([
  'chosen',
  'bot_first',
  'pooled',
  'others_wait_longer',
  'project_closed',
  'not_available',
  'left_this_conversation',
  'at_capacity',
  'group_without_share',
  'turn_of_another_group',
  'has_more_open',
  'assigned_more_recently',
  'next_in_order',
  'changed_meanwhile',
  'selected_by_webhook',
]);

const ConsideredAgent = z.strictObject({
  id_user: z.string(),
  reason: DecisionReason,
  open: z.number().meta({ description: 'Open conversations' }),
  capacity: z.number().nullable().meta({ description: 'Maximum number of open conversations; null for no limit' }),
  last_assigned_at: Time.nullable(),
});

/** The decision of a dry run on a hypothetical conversation. */
export const SimulatedDecisionView = view('SimulatedDecision', {
  outcome: RoutingOutcome,
  chosen: z.string().nullable().meta({ description: 'A user id, or `bot_` followed by the id of a bot' }),
  group: z.string().optional().meta({ description: 'The group whose turn it was' }),
  considered: z.array(ConsideredAgent),
  others: z.number().meta({ description: 'Number of further agents that were considered' }),
});

/** A routing decision on a conversation. */
export const RoutingDecisionView = SimulatedDecisionView.extend({
  at: Time,
  trigger: DecisionTrigger,
  department: z.string().meta({ description: 'Id of the department' }),
}).meta({ id: 'RoutingDecision' });

export type DecisionTrigger = z.output<typeof DecisionTrigger>;
export type RoutingOutcome = z.output<typeof RoutingOutcome>;
export type DecisionReason = z.output<typeof DecisionReason>;
