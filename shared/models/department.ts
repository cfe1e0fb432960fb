import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, kept } from '../mongo.ts';
import { Id, maybe, Time } from '../view.ts';

const Share = Schema.create({ id_group: { type: String, required: true }, percentage: Number }, { _id: false });
const Tag = Schema.create({ tag: String, color: String, attributes: Schema.Types.Mixed }, { _id: false });

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    name: { type: String, required: true },
    description: String,
    routing: { type: String, enum: ['assigned', 'pooled', null], default: 'pooled' },
    /** Exactly one of a project's: where a conversation goes that names none. */
    default: { type: Boolean, default: false },
    status: { type: Number, default: 1 },
    /** Who answers first, before any teammate. */
    id_bot: String,
    bot_only: Boolean,
    /** Who serves it: one group, or several; everybody without any. */
    id_group: String,
    groups: { type: [Share], default: undefined },
    online_msg: String,
    offline_msg: String,
    tags: { type: [Tag], default: undefined },
    attributes: Schema.Types.Mixed,
    createdBy: { type: String, required: true },
  },
  kept,
);
schema.index({ id_project: 1, default: 1 });
schema.index({ id_project: 1, id_group: 1 });
schema.index({ id_project: 1, 'groups.id_group': 1 });

/** Where requests are routed (contract 2.3). */
export const Department = collection('departments', schema);

const visible = {
  _id: Id,
  id: Id,
  id_project: z.string(),
  name: z.string(),
  description: maybe(z.string()),
  routing: z.string().nullish().meta({ description: 'assigned or pooled' }),
  default: z.boolean(),
  status: z.number().meta({ description: '1 visible; 0 not shown to visitors; -1 not shown to teammates either' }),
  online_msg: maybe(z.string()),
  offline_msg: maybe(z.string()),
};

/** All that anybody may see of a department without credentials. */
export const PublicDepartmentView = z.strictObject(visible);

const Free = z.record(z.string(), z.unknown());

/** A department as the team sees it (contract b 6.1). */
export const DepartmentView = z.strictObject({
  ...visible,
  id_bot: maybe(z.string()),
  hasBot: z.boolean(),
  bot_only: maybe(z.boolean()),
  id_group: maybe(z.string()),
  groups: maybe(
    z.array(
      z.strictObject({
        id_group: z.string(),
        group_id: z.string().meta({ description: 'Other name of `id_group`' }),
        percentage: maybe(z.number()).meta({ description: 'Share of the conversations' }),
      }),
    ),
  ),
  tags: maybe(z.array(z.strictObject({ tag: z.string(), color: maybe(z.string()), attributes: maybe(Free) }))),
  attributes: maybe(Free),
  createdBy: z.string(),
  createdAt: Time,
  updatedAt: Time,
  __v: z.number(),
});
