import { Schema } from 'mongoose';
import { z } from 'zod';
import { config } from '../config.ts';
import { collection, schemaOptions } from '../database/collection.ts';
import { Id, optionalField, Time, view } from '../wire/view.ts';

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    subscription: { type: String, required: true },
    /** The id of the delivery, sent as the `webhook-id` header. */
    delivery: { type: String, required: true },
    event: { type: String, required: true },
    target: { type: String, required: true },
    /** The number of the attempt, from 1. */
    attempt: { type: Number, required: true },
    /** The HTTP status; absent if there was no response. */
    status: Number,
    duration_ms: { type: Number, required: true },
    /** The status and headers of the response, the beginning of its body, and the beginning of the request body. */
    response: String,
    body: String,
    jsonRequest: { type: String, required: true },
    /** Why the attempt failed. */
    err: String,
  },
  schemaOptions,
);
schema.index({ id_project: 1, createdAt: -1, _id: -1 });
schema.index({ id_project: 1, subscription: 1, createdAt: -1, _id: -1 });
schema.index({ createdAt: 1 }, { expireAfterSeconds: config.WEBHOOK_LOG_TTL_SECONDS });

/** The log of all attempts to deliver events. */
export const WebhookAttempt = collection('webhook_attempts', schema);

/** An attempt on the wire. */
export const WebhookAttemptView = view('WebhookAttempt', {
  _id: Id,
  id_project: z.string(),
  subscription: z.string(),
  delivery: z.string().meta({ description: 'Sent as the `webhook-id` header; the same in every attempt' }),
  event: z.string(),
  target: z.string(),
  attempt: z.number(),
  status: optionalField(z.number()),
  duration_ms: z.number(),
  response: optionalField(z.string()).meta({ description: 'JSON with the status and the headers of the response' }),
  body: optionalField(z.string()).meta({ description: 'The beginning of the response body' }),
  jsonRequest: z.string().meta({ description: 'The beginning of the JSON that was sent, excluding the `token` field' }),
  err: optionalField(z.string()),
  createdAt: Time,
  updatedAt: Time,
  __v: z.number(),
});
