/** The parts of triggers: the events that start them, the operators of their conditions, and their actions. */
import { z } from 'zod';
import { integer, flag, optional } from '../wire/coercion.ts';

/** The events that start a trigger. */
export const TRIGGER_KEYS = [
  'request.create',
  'request.participants.join',
  'message.create.from.requester',
  'message.received',
  'event.emit',
] as const;

export type TriggerKey = (typeof TRIGGER_KEYS)[number];

export const CONDITION_OPERATORS = [
  'equal',
  'notEqual',
  'in',
  'notIn',
  'contains',
  'doesNotContain',
  'lessThan',
  'lessThanInclusive',
  'greaterThan',
  'greaterThanInclusive',
  'hasOwnProperty',
  'notHasOwnProperty',
] as const;

export type ConditionOperator = (typeof CONDITION_OPERATORS)[number];

const MAX_TEXT = 32_000;
const MAX_NAME = 200;
const MAX_PARTICIPANTS = 50;

const text = () => z.string().min(1).max(MAX_TEXT);
const name = () => z.string().min(1).max(MAX_NAME);
const optionalName = () => optional(z.string().max(MAX_NAME));

/** Statuses that `request.status.update` can set: temporary, unserved, abandoned, served and closed. */
const STATUSES = [50, 100, 150, 200, 1000] as const;

const Member = z.object({ member: name() });
const NoParameters = z.object({});

/** The parameters of each action. Unknown parameters are ignored. */
export const ACTION_PARAMETERS = {
  'message.send': z.object({ text: text(), sender: optionalName(), fullName: optionalName() }),
  'email.send': z.object({ text: text(), subject: optional(z.string().max(MAX_NAME * 5)) }),
  'bot.calling': z.object({
    botId: name(),
    message: optional(z.string().max(MAX_TEXT)),
    url: z
      .union(
        [z.literal(''), z.null()],
        'must be empty, because a bot is called at its own URL; set the `url` of the bot',
      )
      .optional(),
  }),
  'request.create': z.object({
    text: text(),
    departmentid: optionalName(),
    participants: optional(z.union([z.array(name()).max(MAX_PARTICIPANTS), z.string().max(MAX_NAME)])),
    status: optional(integer()),
    preflight: optional(flag()),
    type: optionalName(),
    subtype: optionalName(),
  }),
  'request.department.route': z.object({ departmentid: name() }),
  'request.department.route.self': NoParameters,
  'request.department.bot.launch': z.object({ text: optional(z.string().max(MAX_TEXT)) }),
  'request.bot.launch': Member,
  'request.participants.join': Member,
  'request.participants.leave': Member,
  'request.status.update': z.object({
    status: integer().pipe(z.literal(STATUSES, `must be one of ${STATUSES.join(', ')}`)),
  }),
  'request.close': NoParameters,
  'request.reopen': NoParameters,
  'request.tags.add': z.object({ tag: name() }),
};

export type ActionKey = keyof typeof ACTION_PARAMETERS;

export const ACTION_KEYS = Object.keys(ACTION_PARAMETERS) as [ActionKey, ...ActionKey[]];

export type ActionParameters<K extends ActionKey> = z.output<(typeof ACTION_PARAMETERS)[K]>;

/** A text of `message.send` that ends in this suffix gives the message the subtype `info`. */
export const INFO_SUFFIX = ':tdk_msg_subtype_info';
/** A text of `request.create` that ends in this suffix opens a temporary conversation that agents do not see. */
export const HIDDEN_SUFFIX = ':tdk_req_status_hidden';
