/** Request bodies for triggers. */
import { z } from 'zod';
import { ACTION_KEYS, ACTION_PARAMETERS, CONDITION_OPERATORS, TRIGGER_KEYS } from '#shared/triggers/definitions.ts';
import { flag, optional } from '#shared/wire/coercion.ts';
import { FreeObject } from '#shared/wire/view.ts';
import { acceptEmpty } from '../http/request/input.ts';
import { INPUT_LIMITS } from '../input-limits.ts';

const Name = z.string().trim().min(1).max(INPUT_LIMITS.name);
const Description = optional(z.string().max(INPUT_LIMITS.conversationText));

const ConditionValue = z.union(
  [z.string().max(INPUT_LIMITS.conversationText), z.number(), z.boolean(), z.null()],
  'must be a string, a number, a boolean or null',
);

const ConditionInput = z.object({
  key: z.string().min(1).max(INPUT_LIMITS.name),
  fact: z.literal('json'),
  path: optional(z.string().max(INPUT_LIMITS.name)).meta({
    description: 'Path of the compared value in the payload of the event, for example `channel.name`',
  }),
  operator: z.enum(CONDITION_OPERATORS),
  value: acceptEmpty(ConditionValue, '', null),
});

const ConditionList = optional(z.array(ConditionInput).max(INPUT_LIMITS.triggerConditions));

const ConditionsInput = z
  .object({
    all: ConditionList,
    any: ConditionList.meta({ description: 'If this list is not empty, `all` is ignored' }),
  })
  .transform(({ all = [], any = [] }) => ({ all, any }));

const ActionInput = z
  .object({ key: z.enum(ACTION_KEYS), parameters: optional(FreeObject) })
  .superRefine(({ key, parameters = {} }, context) => {
    const { error } = ACTION_PARAMETERS[key].safeParse(parameters);
    for (const { path, message } of error?.issues ?? [])
      context.addIssue({ code: 'custom', path: ['parameters', ...path], message });
  })
  .transform(({ key, parameters = {} }) => ({ key, parameters }));

const triggerFields = {
  description: Description,
  conditions: optional(ConditionsInput),
};

const EventInput = z.object({ key: z.enum(TRIGGER_KEYS), name: Name, description: Description });
const Actions = z.array(ActionInput).max(INPUT_LIMITS.triggerActions);

/** A new trigger. */
export const NewTrigger = z.object({
  ...triggerFields,
  name: Name,
  trigger: EventInput,
  actions: optional(Actions),
});

/** Changes to a trigger; absent and null fields are unchanged. */
export const TriggerChange = z.object({
  ...triggerFields,
  name: optional(Name),
  trigger: optional(EventInput),
  actions: optional(Actions),
  enabled: optional(flag()),
});
