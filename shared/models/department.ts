import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, schemaOptions } from '../database/collection.ts';
import { Id, optionalField, Time, view } from '../wire/view.ts';

const GroupShareSchema = Schema.create(
  { id_group: { type: String, required: true }, percentage: Number },
  { _id: false },
);
const TagSchema = Schema.create({ tag: String, color: String, attributes: Schema.Types.Mixed }, { _id: false });

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    name: { type: String, required: true },
    description: String,
    routing: { type: String, enum: ['assigned', 'pooled', null], default: 'pooled' },
    /** Exactly one department of a project is the default. It receives conversations that name no department. */
    default: { type: Boolean, default: false },
    status: { type: Number, default: 1 },
    /** The id of the bot that answers before any agent does. */
    id_bot: String,
    bot_only: Boolean,
    /** The group or groups that serve the department; if there are none, all agents serve it. */
    id_group: String,
    groups: { type: [GroupShareSchema], default: undefined },
    online_msg: String,
    offline_msg: String,
    tags: { type: [TagSchema], default: undefined },
    attributes: Schema.Types.Mixed,
    createdBy: { type: String, required: true },
  },
  schemaOptions,
);
schema.index({ id_project: 1, default: 1 });
schema.index({ id_project: 1, id_group: 1 });
schema.index({ id_project: 1, 'groups.id_group': 1 });

/** Departments of a project; a conversation is routed to the agents of its department. */
export const Department = collection('departments', schema);

const publicFields = {
  _id: Id,
  id: Id,
  id_project: z.string(),
  name: z.string(),
  description: optionalField(z.string()),
  routing: z
    .string()
    .nullish()
    .meta({ description: '`assigned`: routing chooses an agent; `pooled`: agents join conversations themselves' }),
  default: z.boolean(),
  status: z.number().meta({ description: '1 visible; 0 hidden from visitors; -1 hidden from visitors and teammates' }),
  online_msg: optionalField(z.string()),
  offline_msg: optionalField(z.string()),
};

/** A department in the public view, as read without authentication. */
export const PublicDepartmentView = view('PublicDepartment', publicFields);

const AnyObject = z.record(z.string(), z.unknown());

/** A department in the team's view. */
export const DepartmentView = view('Department', {
  ...publicFields,
  id_bot: optionalField(z.string()),
  hasBot: z.boolean(),
  bot_only: optionalField(z.boolean()),
  id_group: optionalField(z.string()),
  groups: optionalField(
    z.array(
      z.strictObject({
        id_group: z.string(),
        group_id: z.string().meta({ description: 'Alias of `id_group`' }),
        percentage: optionalField(z.number()).meta({
          description: "Percentage of the department's conversations that the group receives",
        }),
      }),
    ),
  ),
  tags: optionalField(
    z.array(
      z.strictObject({ tag: z.string(), color: optionalField(z.string()), attributes: optionalField(AnyObject) }),
    ),
  ),
  attributes: optionalField(AnyObject),
  createdBy: z.string(),
  createdAt: Time,
  updatedAt: Time,
  __v: z.number(),
});
