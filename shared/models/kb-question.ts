import { Schema } from 'mongoose';
import { z } from 'zod';
import { config } from '../config.ts';
import { collection, schemaOptions } from '../database/collection.ts';
import { Id, optionalField, Time, view } from '../wire/view.ts';

const commonFields = {
  id_project: { type: String, required: true },
  namespace: { type: String, required: true },
  question: { type: String, required: true },
  request_id: String,
} as const;
const EXPIRY = { expireAfterSeconds: config.QUESTION_TTL_SECONDS };

const unansweredSchema = Schema.create(
  {
    ...commonFields,
    sender: String,
    /** The id of the cluster of similar questions. */
    cluster: String,
    /** True until the question is assigned to a cluster. */
    needsCluster: Boolean,
  },
  schemaOptions,
);
unansweredSchema.index({ id_project: 1, namespace: 1, createdAt: -1 });
unansweredSchema.index({ id_project: 1, namespace: 1, cluster: 1, createdAt: 1 });
unansweredSchema.index({ id_project: 1, namespace: 1, question: 'text' }, { default_language: 'none' });
unansweredSchema.index({ needsCluster: 1 }, { sparse: true });
unansweredSchema.index({ createdAt: 1 }, EXPIRY);

/** Questions that a knowledge base could not answer. Those that it has answered are in `KbAnsweredQuestion`. */
export const KbUnansweredQuestion = collection('kb_unanswered', unansweredSchema);

const answeredSchema = Schema.create(
  { ...commonFields, answer: { type: String, required: true }, tokens: Number },
  schemaOptions,
);
answeredSchema.index({ id_project: 1, namespace: 1, createdAt: -1 });
answeredSchema.index({ id_project: 1, namespace: 1, question: 'text', answer: 'text' }, { default_language: 'none' });
answeredSchema.index({ createdAt: 1 }, EXPIRY);

/** Questions that a knowledge base has answered, with their answers. */
export const KbAnsweredQuestion = collection('kb_answered', answeredSchema);

const score = z.number().optional().meta({ description: 'Relevance; only with the parameter `search`' });
const viewFields = {
  _id: Id,
  id_project: z.string(),
  namespace: z.string(),
  question: z.string(),
  request_id: optionalField(z.string()),
  createdAt: Time,
  updatedAt: Time,
  __v: z.number(),
};

/** An unanswered question on the wire. */
export const KbUnansweredQuestionView = view('KbQuestion', { ...viewFields, sender: optionalField(z.string()), score });

/** An answered question on the wire. */
export const KbAnsweredQuestionView = view('KbAnsweredQuestion', {
  ...viewFields,
  answer: z.string(),
  tokens: optionalField(z.number()).meta({
    description: 'Tokens of the prompt, multiplied by the factor of the model in the setting `AI_MODELS`',
  }),
  score,
});
