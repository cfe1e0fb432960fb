import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, schemaOptions } from '../database/collection.ts';
import { ACTION_KEYS, CONDITION_OPERATORS, TRIGGER_KEYS } from '../triggers/definitions.ts';
import { Id, optionalField, Time, view } from '../wire/view.ts';

const embedded = { _id: false, minimize: false, strict: 'throw' } as const;

const ConditionSchema = Schema.create(
  {
    key: { type: String, required: true },
    fact: { type: String, required: true },
    path: String,
    operator: { type: String, enum: CONDITION_OPERATORS, required: true },
    value: Schema.Types.Mixed,
  },
  embedded,
);
const ActionSchema = Schema.create(
  {
    key: { type: String, enum: ACTION_KEYS, required: true },
    parameters: { type: Schema.Types.Mixed, default: () => ({}) },
  },
  embedded,
);

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    name: { type: String, required: true },
    description: String,
    trigger: {
      key: { type: String, enum: TRIGGER_KEYS, required: true },
      name: { type: String, required: true },
      description: String,
    },
    conditions: {
      all: { type: [ConditionSchema], default: [] },
      any: { type: [ConditionSchema], default: [] },
    },
    actions: { type: [ActionSchema], default: [] },
    enabled: { type: Boolean, default: true },
    /** The code of a built-in trigger, which identifies it when its original definition is restored. */
    code: String,
    /** `internal` for built-in triggers. */
    type: { type: String },
    version: Number,
    createdBy: { type: String, required: true },
    updatedBy: String,
  },
  schemaOptions,
);
schema.index({ id_project: 1, enabled: 1 });
schema.index({ id_project: 1, code: 1 }, { unique: true, partialFilterExpression: { code: { $exists: true } } });

/** Triggers of a project: actions that follow an event if conditions hold. */
export const Trigger = collection('triggers', schema);

const ConditionView = z.strictObject({
  key: z.string(),
  fact: z.string(),
  path: optionalField(z.string()),
  operator: z.enum(CONDITION_OPERATORS),
  value: z.union([z.string(), z.number(), z.boolean(), z.null()]).optional(),
});

/** A trigger on the wire. */
export const TriggerView = view('Trigger', {
  _id: Id,
  id_project: z.string(),
  name: z.string(),
  description: optionalField(z.string()),
  trigger: z.strictObject({ key: z.enum(TRIGGER_KEYS), name: z.string(), description: optionalField(z.string()) }),
  conditions: z.strictObject({ all: z.array(ConditionView), any: z.array(ConditionView) }),
  actions: z.array(z.strictObject({ key: z.enum(ACTION_KEYS), parameters: z.record(z.string(), z.unknown()) })),
  enabled: z.boolean(),
  code: optionalField(z.string()).meta({ description: 'Code of a built-in trigger' }),
  type: optionalField(z.string()).meta({ description: '`internal` for built-in triggers' }),
  version: optionalField(z.number()),
  createdBy: z.string(),
  updatedBy: optionalField(z.string()),
  createdAt: Time,
  updatedAt: Time,
  __v: z.number(),
});
