import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, schemaOptions } from '../database/collection.ts';
import { Id, optionalField, Time, view } from '../wire/view.ts';

/** The statuses of a project: active, or permanently disabled. */
export const PROJECT_ACTIVE = 100;
export const PROJECT_DISABLED = 0;

const BanSchema = Schema.create({ id: { type: String, required: true }, ip: String }, { id: false });

const schema = Schema.create(
  {
    name: { type: String, required: true },
    status: { type: Number, default: PROJECT_ACTIVE },
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
    bannedUsers: { type: [BanSchema], default: [] },
    /** Password of the project's own SMTP server. Set as `settings.email.config.pass`; never returned. */
    smtpPassword: { type: String, select: false },
    createdBy: { type: String, required: true },
  },
  schemaOptions,
);

/** Projects: isolated workspaces (tenants). */
export const Project = collection('projects', schema, 'instance');

const AnyObject = z.record(z.string(), z.unknown());

const planFields = {
  trialExpired: z.boolean(),
  trialDaysLeft: z.number().meta({
    description: 'Days since the end of the trial; negative while the trial is running, as deployed clients expect',
  }),
  isActiveSubscription: z.union([z.boolean(), z.literal('')]),
};

/** A project in its teammates' view. */
export const ProjectView = view('Project', {
  _id: Id,
  id: Id,
  name: z.string(),
  status: z.number(),
  activeOperatingHours: z.boolean(),
  operatingHours: z.string().optional().meta({ description: 'JSON, as a string' }),
  timeSlots: AnyObject.optional(),
  settings: AnyObject,
  widget: AnyObject.optional(),
  attributes: AnyObject.optional(),
  profile: AnyObject,
  channels: z.array(z.strictObject({ name: z.string() })),
  versions: z.number(),
  ipFilterEnabled: z.boolean(),
  ipFilter: z.array(z.string()),
  ipFilterDenyEnabled: z.boolean(),
  ipFilterDeny: z.array(z.string()),
  bannedUsers: z.array(z.strictObject({ _id: Id, id: z.string(), ip: optionalField(z.string()) })),
  ...planFields,
  createdBy: z.string(),
  createdAt: Time,
  updatedAt: Time,
  __v: z.number(),
});

/** The plan of a project, in the payloads of quota events. */
export const ProjectPlanView = ProjectView.pick({ _id: true, name: true, profile: true, createdAt: true });

/** A project in event payloads. */
export const ProjectEventView = ProjectView.extend({ id_project: Id }).meta({ id: 'ProjectEvent' });

/** A project in the public view, without authentication. */
export const PublicProjectView = view('PublicProject', {
  _id: Id,
  id: Id,
  name: z.string(),
  status: z.number(),
  activeOperatingHours: z.boolean(),
  operatingHours: optionalField(z.string()),
  timeSlots: optionalField(AnyObject),
  settings: z.strictObject({
    allowed_urls: z.unknown().optional(),
    allowed_urls_list: z.unknown().optional(),
    allow_send_emoji: z.unknown().optional(),
    allowed_upload_extentions: z.unknown().optional(),
  }),
  widget: optionalField(AnyObject),
  profile: z.strictObject({
    name: z.unknown().optional(),
    type: z.unknown().optional(),
    trialDays: z.unknown().optional(),
    agents: z.unknown().optional(),
  }),
  channels: z.array(z.strictObject({ name: z.string() })),
  versions: z.number(),
  ...planFields,
  createdAt: Time,
  updatedAt: Time,
});

/** A project in the instance administrators' list. */
export const ProjectSummaryView = view('ProjectSummary', {
  _id: Id,
  name: z.string(),
  owner: z.string().optional().meta({ description: 'Email address of the owner' }),
  createdAt: Time,
  profile_name: z.string(),
});
