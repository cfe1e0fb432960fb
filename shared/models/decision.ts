/** Decisions of routing, as conversations keep them and as they are told. */
import { z } from 'zod';
import { Time } from '../view.ts';

/** What asked for a decision. */
const Trigger = z.enum(['arrival', 'preflight', 'departments', 'assign', 'agent', 'waiting']);

/** What came of routing a conversation. */
const Outcome = z.enum(['bot', 'assigned', 'pooled', 'in_line', 'nobody']);

/** Why a teammate was or was not chosen. */
const Reason = z.enum([
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
]);

const Considered = z.strictObject({
  id_user: z.string(),
  reason: Reason,
  open: z.number().meta({ description: 'Open conversations' }),
  capacity: z.number().nullable().meta({ description: 'How many it may have; null for any number' }),
  last_assigned_at: Time.nullable(),
});

/** What a dry run decides on one who has not arrived. */
export const ArrivalView = z.strictObject({
  outcome: Outcome,
  chosen: z.string().nullable().meta({ description: 'A user, or `bot_` with the id of a bot' }),
  group: z.string().optional().meta({ description: 'The group whose turn it was' }),
  considered: z.array(Considered),
  others: z.number().meta({ description: 'How many more were considered' }),
});

/** A decision on a conversation. */
export const DecisionView = ArrivalView.extend({
  at: Time,
  trigger: Trigger,
  department: z.string().meta({ description: 'Its id' }),
});

export type Trigger = z.output<typeof Trigger>;
export type Outcome = z.output<typeof Outcome>;
export type Reason = z.output<typeof Reason>;
