import { Schema, Types } from 'mongoose';
import { z } from 'zod';
import { collection, kept } from '../mongo.ts';
import { Id, maybe, Time } from '../view.ts';
import { wire } from '../wire-profile.ts';
import { ProjectView } from './project.ts';
import { UserView } from './user.ts';

/** Which side of the conversation a membership stands on (contract a 4.1). */
export const TEAM = 1;
export const VISITOR = 2;

const Claim = Schema.create(
  { request: { type: String, required: true }, at: { type: Date, required: true } },
  { _id: false },
);

const Tag = Schema.create(
  { tag: { type: String, required: true }, color: String, attributes: Schema.Types.Mixed },
  { id: false },
);
const Presence = Schema.create(
  { status: { type: String, enum: ['online', 'offline'], required: true }, changedAt: { type: Date, required: true } },
  { _id: false },
);

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    id_user: { type: Types.ObjectId, ref: 'users' },
    uuid_user: String,
    role: { type: String, required: true },
    roleType: { type: Number, required: true },
    user_available: { type: Boolean, default: true },
    /** A word of the teammate's own on its availability. */
    profileStatus: String,
    /** Absent until somebody comes online for the first time. */
    presence: Presence,
    status: { type: String, enum: ['active', 'disabled'], default: 'active' },
    trashed: { type: Boolean, default: false },
    attributes: Schema.Types.Mixed,
    settings: Schema.Types.Mixed,
    tags: { type: [Tag], default: [] },
    permissions: { type: [String], default: [] },
    max_assigned_chat: Number,
    number_assigned_requests: { type: Number, default: 0 },
    /** The open conversations that count for this teammate; `number_assigned_requests` is how many. */
    claims: { type: [Claim], default: undefined },
    last_assigned_at: Date,
    /** When the load was told last, and whether it has changed since. */
    load_told_at: { type: Date, select: false },
    load_untold: { type: Boolean, select: false },
    last_login_at: Date,
    /** Set anew by each change that takes an owner's power away from another one: two such changes cannot pass each other. */
    vouched: { type: String, select: false },
    createdBy: { type: String, required: true },
  },
  kept,
);
schema.index({ id_project: 1, id_user: 1 }, { unique: true, partialFilterExpression: { id_user: { $exists: true } } });
schema.index(
  { uuid_user: 1, id_project: 1 },
  { unique: true, partialFilterExpression: { uuid_user: { $exists: true } } },
);
schema.index({ id_user: 1, status: 1 });
schema.index({ id_project: 1, roleType: 1, status: 1, number_assigned_requests: 1, last_assigned_at: 1 });
schema.index({ id_project: 1, role: 1, createdAt: -1, _id: -1 });
schema.index({ 'claims.at': 1 }, { sparse: true });
schema.index({ load_untold: 1, id_project: 1 }, { partialFilterExpression: { load_untold: true } });

/** The membership of a person or visitor in a project, with the role (contract 2.1). */
export const ProjectUser = collection('project_users', schema);

const Free = z.record(z.string(), z.unknown());

const stored = {
  _id: Id,
  role: z.string(),
  roleType: z.number().meta({ description: '1 of the team, 2 a visitor' }),
  user_available: z.boolean(),
  status: z.enum(['active', 'disabled']),
  trashed: z.boolean(),
  attributes: maybe(Free),
  settings: maybe(Free),
  max_assigned_chat: maybe(z.number()),
  number_assigned_requests: z.number(),
  last_login_at: maybe(Time),
  createdBy: z.string(),
  createdAt: Time,
  updatedAt: Time,
  __v: z.number(),
};

const Status = z.enum(['online', 'offline']);

const bare = {
  ...stored,
  id: Id,
  id_project: z.string(),
  uuid_user: maybe(z.string()).meta({ description: "A visitor's id; absent for people with an account" }),
  profileStatus: maybe(z.string()),
  presence: wire.presenceWithTime ? maybe(z.strictObject({ status: Status, changedAt: Time })) : Status,
  tags: z.array(z.strictObject({ _id: Id, tag: z.string(), color: maybe(z.string()), attributes: maybe(Free) })),
  permissions: z.array(z.string()),
  isAuthenticated: z.boolean(),
};

/** A membership of the caller, with the project in it. */
export const MembershipView = z.strictObject({ ...bare, id_user: Id, id_project: ProjectView });

const isBusy = z.boolean().meta({ description: 'As many open conversations as it may have' });

/** A membership as a change of it answers: the account by its id alone (contract a 6.3). */
export const ChangedTeammateView = z.strictObject({ ...bare, id_user: maybe(Id) });

/** The caller's own membership. */
export const OwnTeammateView = ChangedTeammateView.extend({ isBusy });

/** A membership as it is read, with the account in it (contract 2.1). */
export const TeammateView = z.strictObject({ ...bare, isBusy, id_user: maybe(UserView) });

/** A membership as events tell of it. */
export const ToldTeammateView = TeammateView.extend({
  id_user: maybe(UserView.pick({ _id: true, firstname: true, lastname: true, email: true })),
});
