import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, kept } from '../mongo.ts';
import { Id, Time } from '../view.ts';

/** The status of a project that is in use; 0 is disabled (contract 2.7). */
export const ACTIVE = 100;

const schema = Schema.create(
  {
    name: { type: String, required: true },
    status: { type: Number, default: ACTIVE },
    activeOperatingHours: { type: Boolean, default: false },
    operatingHours: String,
    timeSlots: Schema.Types.Mixed,
    settings: { type: Schema.Types.Mixed, default: () => ({}) },
    widget: Schema.Types.Mixed,
    attributes: Schema.Types.Mixed,
    profile: { type: Schema.Types.Mixed, default: () => ({ name: 'Custom', type: 'free', trialDays: 14, agents: 0 }) },
    channels: { type: [new Schema({ name: String }, { _id: false })], default: () => [{ name: 'chat21' }] },
    versions: { type: Number, default: 20115 },
    createdBy: { type: String, required: true },
  },
  kept,
);

/** A workspace: the border nothing crosses (contract 2.7). */
export const Project = collection('projects', schema, 'instance');

const Free = z.record(z.string(), z.unknown());

/** A project as its teammates see it. */
export const ProjectView = z.strictObject({
  _id: Id,
  id: Id,
  name: z.string(),
  status: z.number(),
  activeOperatingHours: z.boolean(),
  operatingHours: z.string().optional().meta({ description: 'JSON text (contract 2.7)' }),
  timeSlots: Free.optional(),
  settings: Free,
  widget: Free.optional(),
  attributes: Free.optional(),
  profile: Free,
  channels: z.array(z.strictObject({ name: z.string() })),
  versions: z.number(),
  trialExpired: z.boolean(),
  trialDaysLeft: z.number().meta({ description: 'Negative while the trial runs' }),
  isActiveSubscription: z.union([z.boolean(), z.literal('')]),
  createdBy: z.string(),
  createdAt: Time,
  updatedAt: Time,
  __v: z.number(),
});
