import { Schema } from 'mongoose';
import { z } from 'zod';
import { config } from '../config.ts';
import { collection, schemaOptions } from '../database/collection.ts';
import { Id, optionalField, Time, view } from '../wire/view.ts';

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    namespace: { type: String, required: true },
    /** The question that represents the cluster: the first one. */
    question: { type: String, required: true },
    /** The mean vector of the questions, as little-endian float32 values; absent without an embedding model. */
    vector: Buffer,
    /** The embedding model of `vector`; an empty string without a vector. */
    model: { type: String, default: '' },
    /** The weight of `vector` relative to a new question, whose weight is 1: the number of questions, up to a limit. */
    weight: { type: Number, default: 1 },
    /** The id of the FAQ that answers the cluster. */
    content: String,
    promotedAt: Date,
    /** When the questions are due to be asked again; absent without a FAQ, and once they have been asked again. */
    reaskAt: Date,
    reaskedAt: Date,
    /** The number of questions that got an answer when they were asked again, since the last FAQ was added. */
    resolved: Number,
  },
  schemaOptions,
);
schema.index({ id_project: 1, namespace: 1 });
schema.index({ reaskAt: 1 }, { sparse: true });
schema.index({ updatedAt: 1 }, { expireAfterSeconds: config.QUESTION_TTL_SECONDS });

/** Clusters of similar unanswered questions. A cluster expires when all its questions have expired. */
export const KbQuestionCluster = collection('kb_question_clusters', schema);

/** A cluster on the wire, with the number, examples and times of its questions. */
export const KbQuestionClusterView = view('KbQuestionCluster', {
  _id: Id,
  id_project: z.string(),
  namespace: z.string(),
  question: z.string().meta({ description: 'The first question of the cluster' }),
  count: z.number().meta({ description: 'Number of unanswered questions' }),
  examples: z.array(z.string()).meta({ description: 'The latest distinct questions, at most 5' }),
  first_asked_at: optionalField(Time),
  last_asked_at: optionalField(Time),
  content: optionalField(z.string()).meta({ description: 'Id of the FAQ that the team added to answer the cluster' }),
  promoted_at: optionalField(Time),
  reasked_at: optionalField(Time).meta({
    description: 'When the questions were asked again, after the FAQ was indexed',
  }),
  resolved: optionalField(z.number()).meta({ description: 'Number of questions that the FAQ has answered' }),
});
