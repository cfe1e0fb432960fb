import { Schema } from 'mongoose';
import { z } from 'zod';
import { config } from '../config.ts';
import { collection, schemaOptions } from '../database/collection.ts';
import { Id, optionalField, Time } from '../wire/view.ts';

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    namespace: { type: String, required: true },
    question: { type: String, required: true },
    request_id: String,
    sender: String,
  },
  schemaOptions,
);
schema.index({ id_project: 1, namespace: 1, createdAt: -1 });
schema.index({ createdAt: 1 }, { expireAfterSeconds: config.QUESTION_TTL_SECONDS });

/** Questions that a knowledge base could not answer. */
export const KbQuestion = collection('kb_unanswered', schema);

/** An unanswered question on the wire. */
export const KbQuestionView = z.strictObject({
  _id: Id,
  id_project: z.string(),
  namespace: z.string(),
  question: z.string(),
  request_id: optionalField(z.string()),
  sender: optionalField(z.string()),
  createdAt: Time,
  updatedAt: Time,
  __v: z.number(),
});
