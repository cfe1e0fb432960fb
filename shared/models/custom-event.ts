import { Schema } from 'mongoose';
import { z } from 'zod';
import { config } from '../config.ts';
import { collection, schemaOptions } from '../database/collection.ts';
import { Id, optionalField, Time, view } from '../wire/view.ts';

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    name: { type: String, required: true },
    attributes: Schema.Types.Mixed,
    /** The membership of the author; absent for bots. */
    project_user: String,
    /** The conversation that a typing event belongs to. Not on the wire. */
    request_id: String,
    /** The misspelling is deliberate: deployed clients rely on it. */
    status: { type: String, default: 'stardard' },
    createdBy: { type: String, required: true },
  },
  schemaOptions,
);
schema.index({ id_project: 1, createdAt: -1, _id: -1 });
schema.index({ id_project: 1, project_user: 1, createdAt: -1 });
schema.index({ createdAt: 1 }, { expireAfterSeconds: config.EVENT_TTL_SECONDS });

/** Custom events emitted by clients. Deleted after `EVENT_TTL_SECONDS`. */
export const CustomEvent = collection('events', schema);

/** A custom event on the wire. */
export const CustomEventView = view('CustomEvent', {
  _id: Id,
  id_project: z.string(),
  name: z.string(),
  attributes: optionalField(z.record(z.string(), z.unknown())),
  project_user: optionalField(z.string()),
  status: z.string().meta({ description: 'Always `stardard`' }),
  createdBy: z.string(),
  createdAt: Time,
  updatedAt: Time,
  __v: z.number(),
});

const PersonView = z.strictObject({
  _id: z.string(),
  email: optionalField(z.string()),
  firstname: optionalField(z.string()),
  lastname: optionalField(z.string()),
});

/** The event payload of a custom event, with its author; for a typing event, also with its conversation. */
export const CustomEventPayloadView = CustomEventView.extend({
  id: Id,
  project_user: optionalField(
    z.strictObject({
      _id: Id,
      id_project: z.string(),
      role: z.string(),
      id_user: optionalField(PersonView),
      uuid_user: optionalField(z.string()),
    }),
  ),
  user: PersonView,
  request: optionalField(
    z.strictObject({
      request_id: z.string(),
      agents: z.array(z.strictObject({ id_user: z.string() })),
      participants: z.array(z.string()),
    }),
  ),
}).meta({ id: 'CustomEventPayload' });

/** The payload of a typing event in the view of the conversation's visitor. The only person in it is the author. */
export const VisitorTypingView = view('VisitorTyping', {
  _id: Id,
  id: Id,
  id_project: z.string(),
  name: z.string(),
  attributes: z.strictObject({ recipient_id: z.string(), writer_id: z.string() }),
  createdBy: z.string(),
  createdAt: Time,
  user: PersonView.omit({ email: true }),
  request: z.strictObject({ request_id: z.string() }),
});
