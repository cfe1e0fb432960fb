/** Imports triggers. */
import { z } from 'zod';
import { Trigger } from '../../../models/trigger.ts';
import { ACTION_KEYS, ACTION_PARAMETERS, CONDITION_OPERATORS, TRIGGER_KEYS } from '../../../triggers/definitions.ts';
import { authoredFields, flag, list, nonEmptyText, number, object, optional, text, withDefault } from '../fields.ts';
import type { ImportTable } from '../import-table.ts';

const condition = z.object({
  key: nonEmptyText(),
  fact: z.literal('json'),
  path: optional(text()),
  operator: z.enum(CONDITION_OPERATORS),
  value: z.union([z.string(), z.number(), z.boolean(), z.null()]).optional(),
});

const action = z
  .object({ key: z.enum(ACTION_KEYS), parameters: withDefault(object(), {}) })
  .superRefine(({ key, parameters }, context) => {
    const { error } = ACTION_PARAMETERS[key].safeParse(parameters);
    for (const { path, message } of error?.issues ?? [])
      context.addIssue({ code: 'custom', path: ['parameters', ...path], message });
  });

const conditions = z.object({ all: list(condition), any: list(condition) });

export const triggers: ImportTable = {
  model: Trigger,
  sources: ['triggers'],
  fields: z.object({
    ...authoredFields,
    name: nonEmptyText(),
    description: optional(text()),
    trigger: z.object({ key: z.enum(TRIGGER_KEYS), name: nonEmptyText(), description: optional(text()) }),
    conditions: withDefault(conditions, { all: [], any: [] }),
    actions: list(action),
    enabled: withDefault(flag(), true),
    code: optional(nonEmptyText()),
    type: optional(text()),
    version: optional(number()),
    updatedBy: optional(text()),
  }),
  replaced: { delay: 'not used' },
};
