/** Request bodies and queries for knowledge bases and question logs, and the schemas that they share with contents. */
import { z } from 'zod';
import { flagWithError, integer } from '#shared/wire/coercion.ts';
import { FreeObject } from '#shared/wire/view.ts';
import { pagingQuery } from '../http/request/paging.ts';
import { INPUT_LIMITS } from '../input-limits.ts';
import { rejectWith } from './schema-refinements.ts';

/** The id of a knowledge base. */
export const NamespaceId = z
  .string()
  .min(1)
  .max(100)
  .meta({ description: 'Id of the knowledge base; the default knowledge base has the id of the project' });

/** Tags of a content. A search with several tags finds the contents that have all of these tags. */
export const ContentTags = z.array(z.string().min(1).max(INPUT_LIMITS.kbTag)).max(INPUT_LIMITS.kbTags);

/** The text of a question. */
export const QuestionText = z.string().trim().min(1).max(INPUT_LIMITS.questionText);

/** Query that identifies a knowledge base. */
export const NamespaceQuery = z.object({ namespace: NamespaceId });

/** Query parameters for the list of imports. */
export const ImportsQuery = pagingQuery(['createdAt'], 50, { namespace: NamespaceId });

const notBooleanError = rejectWith(400, "Value not accepted for 'hybrid' field. Expected boolean.");

/** Request body for a new knowledge base. */
export const NewNamespace = z.object({
  name: z.string().trim().min(1).max(INPUT_LIMITS.kbName),
  hybrid: flagWithError(notBooleanError).optional(),
});

/** Request body for a knowledge base update; absent and empty fields are unchanged. */
export const NamespaceChanges = z.object({
  name: z.string().trim().max(INPUT_LIMITS.kbName).nullish(),
  preview_settings: FreeObject.nullish(),
});

/** Request body that identifies a content. Clients that reindex a sitemap also send its type and source. */
export const ContentRef = z.object({
  id: z.string().max(100),
  namespace: NamespaceId,
  type: z.string().max(40).optional(),
  source: z.string().max(INPUT_LIMITS.kbSource).optional(),
});

/** Returns a query schema with one optional parameter. */
export const flagQuery = (name: string) => z.object({ [name]: z.string().max(10).optional() });

const loggedFields = {
  namespace: NamespaceId,
  question: QuestionText,
  request_id: z.string().max(INPUT_LIMITS.conversationId).optional(),
};

/** Request body that records an unanswered question. */
export const NewQuestion = z.object({ ...loggedFields, sender: z.string().max(200).optional() });

/** Request body that records an answered question. */
export const NewAnsweredQuestion = z.object({
  ...loggedFields,
  answer: z.string().min(1).max(INPUT_LIMITS.instructions),
  tokens: integer(0, 1_000_000_000).optional(),
});

/** Request body that changes the text of an unanswered question. */
export const QuestionChange = z.object({ question: QuestionText });

/** Query parameters for the list of answered or unanswered questions. */
export const QuestionsQuery = pagingQuery(['createdAt', 'updatedAt', 'question'], 20, {
  search: z
    .string()
    .trim()
    .max(INPUT_LIMITS.kbName)
    .optional()
    .meta({ description: 'Words to find. The questions are then sorted by relevance, and each has a `score`' }),
});

/** Query parameters for the export of answered or unanswered questions. */
export const ExportQuery = z.object({
  mode: z.enum(['csv', 'json'], rejectWith(400, 'Invalid format. Use mode=json or mode=csv')).default('csv'),
});

/** Query parameters for the list of clusters. */
export const ClustersQuery = z.object({
  page: integer(0, 1_000_000).default(0),
  limit: integer(1, 100).default(20),
});

/** Request body that promotes a cluster to a FAQ. */
export const FaqInput = z.object({
  answer: z
    .string()
    .trim()
    .min(1)
    .max(INPUT_LIMITS.kbText - INPUT_LIMITS.kbName),
  question: z
    .string()
    .trim()
    .min(1)
    .max(INPUT_LIMITS.kbName)
    .optional()
    .meta({ description: 'Default: the first question of the cluster' }),
  tags: ContentTags.optional(),
});
