import { Schema, Types } from 'mongoose';
import { z } from 'zod';
import { collection, kept } from '../mongo.ts';
import { Id, Time } from '../view.ts';
import { ProjectView } from './project.ts';

/** Which side of the conversation a membership stands on (contract a 4.1). */
export const TEAM = 1;
export const VISITOR = 2;

const Claim = Schema.create(
  { request: { type: String, required: true }, at: { type: Date, required: true } },
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
    status: { type: String, enum: ['active', 'disabled'], default: 'active' },
    trashed: { type: Boolean, default: false },
    attributes: Schema.Types.Mixed,
    settings: Schema.Types.Mixed,
    max_assigned_chat: Number,
    number_assigned_requests: { type: Number, default: 0 },
    /** The open conversations that count for this teammate; `number_assigned_requests` is how many. */
    claims: { type: [Claim], default: undefined },
    last_assigned_at: Date,
    last_login_at: Date,
    createdBy: { type: String, required: true },
  },
  kept,
);
schema.index({ id_project: 1, id_user: 1 }, { unique: true, partialFilterExpression: { id_user: { $exists: true } } });
schema.index(
  { id_project: 1, uuid_user: 1 },
  { unique: true, partialFilterExpression: { uuid_user: { $exists: true } } },
);
schema.index({ id_user: 1, status: 1 });
schema.index({ id_project: 1, roleType: 1, status: 1, number_assigned_requests: 1, last_assigned_at: 1 });
schema.index({ 'claims.at': 1 }, { sparse: true });

/** The membership of a person or visitor in a project, with the role (contract 2.1). */
export const ProjectUser = collection('project_users', schema);

const fields = {
  _id: Id,
  role: z.string(),
  roleType: z.number(),
  user_available: z.boolean(),
  status: z.enum(['active', 'disabled']),
  trashed: z.boolean(),
  attributes: z.record(z.string(), z.unknown()).optional(),
  settings: z.record(z.string(), z.unknown()).optional(),
  max_assigned_chat: z.number().optional(),
  number_assigned_requests: z.number(),
  last_login_at: Time.optional(),
  createdBy: z.string(),
  createdAt: Time,
  updatedAt: Time,
  __v: z.number(),
};

/** A membership of the caller, with the project in it (contract 4.10). */
export const MembershipView = z.strictObject({ ...fields, id: Id, id_user: Id, id_project: ProjectView });
