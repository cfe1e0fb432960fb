import { Schema, Types } from 'mongoose';
import { z } from 'zod';
import { collection, schemaOptions } from '../database/collection.ts';
import { compatibility } from '../wire/compatibility.ts';
import { Id, optionalField, projectionOf, Time, view } from '../wire/view.ts';
import { ProjectView } from './project.ts';
import { UserView } from './user.ts';

/** The role types: a teammate or a visitor. */
export const TEAM_ROLE_TYPE = 1;
export const VISITOR_ROLE_TYPE = 2;
/** The filter for memberships that are neither disabled nor in the trash. */
export const ACTIVE_MEMBER = { status: 'active', trashed: false } as const;

const ReservationSchema = Schema.create(
  { request: { type: String, required: true }, at: { type: Date, required: true } },
  { _id: false },
);

const TagSchema = Schema.create(
  { tag: { type: String, required: true }, color: String, attributes: Schema.Types.Mixed },
  { id: false },
);
const PresenceSchema = Schema.create(
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
    /** The teammate's own status text. */
    profileStatus: String,
    /** Absent until the person is online for the first time. */
    presence: PresenceSchema,
    status: { type: String, enum: ['active', 'disabled'], default: 'active' },
    trashed: { type: Boolean, default: false },
    attributes: Schema.Types.Mixed,
    settings: Schema.Types.Mixed,
    tags: { type: [TagSchema], default: [] },
    permissions: { type: [String], default: [] },
    max_assigned_chat: Number,
    number_assigned_requests: { type: Number, default: 0 },
    /** The open conversations that count towards the teammate's load; `number_assigned_requests` is their number. */
    reservations: { type: [ReservationSchema], default: undefined },
    last_assigned_at: Date,
    /** When the last event about a change in the load was emitted, and whether the load has changed since. */
    load_emitted_at: { type: Date, select: false },
    load_changed: { type: Boolean, select: false },
    last_login_at: Date,
    /** A random value, written only to cause a write conflict between two concurrent demotions of owners. */
    ownerGuard: { type: String, select: false },
    createdBy: { type: String, required: true },
  },
  schemaOptions,
);
schema.index({ id_project: 1, id_user: 1 }, { unique: true, partialFilterExpression: { id_user: { $exists: true } } });
schema.index(
  { id_project: 1, uuid_user: 1 },
  { unique: true, partialFilterExpression: { uuid_user: { $exists: true } } },
);
schema.index({ uuid_user: 1 }, { sparse: true });
schema.index({ id_user: 1, status: 1 });
schema.index({ id_project: 1, roleType: 1, status: 1, number_assigned_requests: 1, last_assigned_at: 1 });
schema.index({ id_project: 1, role: 1, createdAt: -1, _id: -1 });
schema.index({ 'reservations.at': 1 }, { sparse: true });
schema.index({ load_changed: 1, id_project: 1 }, { partialFilterExpression: { load_changed: true } });

/** Memberships of teammates and visitors in projects, with their roles. */
export const ProjectUser = collection('project_users', schema);

const AnyObject = z.record(z.string(), z.unknown());

const storedFields = {
  _id: Id,
  role: z.string(),
  roleType: z.number().meta({ description: '1: teammate, 2: visitor' }),
  user_available: z.boolean(),
  status: z.enum(['active', 'disabled']),
  trashed: z.boolean(),
  attributes: optionalField(AnyObject),
  settings: optionalField(AnyObject),
  max_assigned_chat: optionalField(z.number()),
  number_assigned_requests: z.number(),
  last_login_at: optionalField(Time),
  createdBy: z.string(),
  createdAt: Time,
  updatedAt: Time,
  __v: z.number(),
};

const PresenceStatus = z.enum(['online', 'offline']);

const teammateFields = {
  ...storedFields,
  id: Id,
  id_project: z.string(),
  uuid_user: optionalField(z.string()).meta({ description: "The visitor's id; absent for people with an account" }),
  profileStatus: optionalField(z.string()),
  presence: compatibility.presenceWithTime
    ? optionalField(z.strictObject({ status: PresenceStatus, changedAt: Time }))
    : PresenceStatus,
  tags: z.array(
    z.strictObject({
      _id: Id,
      tag: z.string(),
      color: optionalField(z.string()),
      attributes: optionalField(AnyObject),
    }),
  ),
  permissions: z.array(z.string()),
  isAuthenticated: z.boolean(),
};

/** A membership of the caller, with the project embedded. */
export const MembershipView = view('Membership', { ...teammateFields, id_user: Id, id_project: ProjectView });

const isBusy = z
  .boolean()
  .meta({ description: 'Whether the teammate has reached their maximum number of open conversations' });

/** A membership in the reply to an update. It contains the id of the account, not the account itself. */
export const TeammateUpdatedView = view('TeammateUpdated', { ...teammateFields, id_user: optionalField(Id) });

/** The values from which a `TeammateUpdatedView` is produced. */
export type UpdatedTeammate = z.input<typeof TeammateUpdatedView>;

interface Presence {
  status: 'online' | 'offline';
  changedAt: Date;
}

export type StoredMembership = Omit<UpdatedTeammate, 'id' | 'presence' | 'isAuthenticated'> & {
  presence?: Presence | null;
};

/** The projection that reads a `StoredMembership`. */
export const TEAMMATE_FIELDS = projectionOf(TeammateUpdatedView);

/** Defaults for memberships that were stored before these fields existed. */
const EMPTY_LISTS = { tags: [], permissions: [] };

/** Converts a stored membership to an `UpdatedTeammate`. */
export const updateView = (member: StoredMembership): UpdatedTeammate => ({
  ...EMPTY_LISTS,
  ...member,
  id: member._id,
  presence: compatibility.presenceWithTime ? (member.presence ?? undefined) : (member.presence?.status ?? 'offline'),
  isAuthenticated: member.role !== 'guest',
});

/** The caller's own membership, with the ids of the account and the project. */
export const OwnTeammateView = TeammateUpdatedView.extend({ isBusy }).meta({ id: 'OwnTeammate' });

/** A membership with the account embedded. */
export const TeammateView = view('Teammate', { ...teammateFields, isBusy, id_user: optionalField(UserView) });

/** A membership in event payloads. */
export const TeammateEventView = TeammateView.extend({
  id_user: optionalField(UserView.pick({ _id: true, firstname: true, lastname: true, email: true })),
}).meta({ id: 'TeammateEvent' });

/** A membership in the payload of its deletion event. */
export const DeletedTeammateView = TeammateEventView.extend({
  deleteType: z
    .enum(['soft', 'hard'])
    .meta({ description: '`soft`: the membership is trashed; `hard`: it is deleted' }),
}).meta({ id: 'DeletedTeammate' });
