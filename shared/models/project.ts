import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, kept } from '../mongo.ts';
import { Id, maybe, Time } from '../view.ts';

/** The status of a project that is in use, and of one that is not, for good (contract 2.7). */
export const ACTIVE = 100;
export const DISABLED = 0;

const Ban = Schema.create({ id: { type: String, required: true }, ip: String }, { id: false });

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
    ipFilterEnabled: { type: Boolean, default: false },
    ipFilter: { type: [String], default: [] },
    ipFilterDenyEnabled: { type: Boolean, default: false },
    ipFilterDeny: { type: [String], default: [] },
    bannedUsers: { type: [Ban], default: [] },
    /** Of the project's own mail server; written as `settings.email.config.pass`, and never shown again. */
    smtpPassword: { type: String, select: false },
    createdBy: { type: String, required: true },
  },
  kept,
);

/** A workspace: the border nothing crosses (contract 2.7). */
export const Project = collection('projects', schema, 'instance');

const Free = z.record(z.string(), z.unknown());

const plan = {
  trialExpired: z.boolean(),
  trialDaysLeft: z.number().meta({ description: 'Negative while the trial runs' }),
  isActiveSubscription: z.union([z.boolean(), z.literal('')]),
};

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
  ipFilterEnabled: z.boolean(),
  ipFilter: z.array(z.string()),
  ipFilterDenyEnabled: z.boolean(),
  ipFilterDeny: z.array(z.string()),
  bannedUsers: z.array(z.strictObject({ _id: Id, id: z.string(), ip: maybe(z.string()) })),
  ...plan,
  createdBy: z.string(),
  createdAt: Time,
  updatedAt: Time,
  __v: z.number(),
});

/** A project as its events tell of it. */
export const ToldProjectView = ProjectView.extend({ id_project: Id });

/** All that anybody may see of a project without credentials (contract a 9.1): neither its people, its rules nor its plan's papers. */
export const PublicProjectView = z.strictObject({
  _id: Id,
  id: Id,
  name: z.string(),
  status: z.number(),
  activeOperatingHours: z.boolean(),
  operatingHours: maybe(z.string()),
  timeSlots: maybe(Free),
  settings: z.strictObject({
    allowed_urls: z.unknown().optional(),
    allowed_urls_list: z.unknown().optional(),
    allow_send_emoji: z.unknown().optional(),
    allowed_upload_extentions: z.unknown().optional(),
  }),
  widget: maybe(Free),
  profile: z.strictObject({
    name: z.unknown().optional(),
    type: z.unknown().optional(),
    trialDays: z.unknown().optional(),
    agents: z.unknown().optional(),
  }),
  channels: z.array(z.strictObject({ name: z.string() })),
  versions: z.number(),
  ...plan,
  createdAt: Time,
  updatedAt: Time,
});

/** A project in the list of all that the instance holds. */
export const ProjectSummaryView = z.strictObject({
  _id: Id,
  name: z.string(),
  owner: z.string().optional().meta({ description: 'E-mail of the owner' }),
  createdAt: Time,
  profile_name: z.string(),
});
