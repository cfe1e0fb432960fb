/** Integrations, subscriptions and triggers. */
import { z } from 'zod';
import { INSTANCE } from '../../../models/change.ts';
import { Integration } from '../../../models/integration.ts';
import { Subscription } from '../../../models/subscription.ts';
import { Trigger } from '../../../models/trigger.ts';
import { ACTION_KEYS, ACTION_PARAMETERS, CONDITION_OPERATORS, TRIGGER_KEYS } from '../../../triggers/definitions.ts';
import { encryptKeys, separateKeys } from '../../integrations/integration-keys.ts';
import { isSubscribable } from '../../webhooks/subscribable-events.ts';
import {
  authoredFields,
  type Fields,
  flag,
  id,
  list,
  nonEmptyText,
  number,
  object,
  optional,
  projectFields,
  text,
  withDefault,
} from '../fields.ts';
import type { ImportTable } from '../import-table.ts';

/** Accounts at other services; their keys are encrypted. */
export const integrations: ImportTable = {
  model: Integration,
  sources: ['integrations'],
  fields: z.object({ ...projectFields, name: nonEmptyText(), value: withDefault(object(), {}) }),
  complete: (batch) => {
    for (const { record } of batch) {
      const { value, keys } = separateKeys(record.value as Fields);
      record.value = value;
      record.secrets = encryptKeys(keys, record as { id_project: string; name: string });
    }
  },
};

/** Subscriptions to events, and global subscriptions. Their secrets stay valid. */
export const subscriptions: ImportTable = {
  model: Subscription,
  sources: ['subscriptions'],
  fields: z.object({
    ...authoredFields,
    id_project: z.preprocess((value) => value ?? INSTANCE, z.union([z.literal(INSTANCE), id()])),
    event: nonEmptyText().refine(isSubscribable, 'must be the name of an event; docs/webhooks.md lists them'),
    target: z.url({ protocol: /^https?$/ }),
    secret: nonEmptyText(),
  }),
  replaced: { global: 'a global subscription belongs to the project "instance"' },
  complete: (batch) => {
    for (const document of batch) {
      const { record } = document;
      const isGlobal = document.document.global === true;
      if (isGlobal) record.id_project = INSTANCE;
      else if (record.id_project === INSTANCE) document.rejection = 'id_project: must be an id';
      record.enabled = true;
    }
  },
};

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

/** Triggers. */
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
