/** Request bodies and queries of knowledge bases and unanswered questions, and the ids that all endpoints share. */
import { z } from 'zod';
import { flagWithError } from '#shared/wire/coercion.ts';
import { FreeObject } from '#shared/wire/view.ts';
import { pagingQuery } from '../http/request/paging.ts';
import { INPUT_LIMITS } from '../input-limits.ts';
import { rejectWith, unsupportedOption } from './schema-refinements.ts';

/** The id of a knowledge base. */
export const NamespaceId = z
  .string()
  .min(1)
  .max(100)
  .meta({ description: 'Id of the knowledge base; the default knowledge base has the id of the project' });

/** Tags of a content. A search with tags finds contents that have all of them. */
export const ContentTags = z.array(z.string().min(1).max(INPUT_LIMITS.kbTag)).max(INPUT_LIMITS.kbTags);

/** The text of a question. */
export const QuestionText = z.string().trim().min(1).max(INPUT_LIMITS.questionText);

/** Query that identifies a knowledge base. */
export const NamespaceQuery = z.object({ namespace: NamespaceId });

/** Query of the list of imports. */
export const ImportsQuery = pagingQuery(['createdAt'], 50, { namespace: NamespaceId });

const notBooleanError = rejectWith(400, "Value not accepted for 'hybrid' field. Expected boolean.");

/** Request body of a new knowledge base. */
export const NewNamespace = z.object({
  name: z.string().trim().min(1).max(INPUT_LIMITS.kbName),
  hybrid: flagWithError(notBooleanError).optional(),
});

/** Request body of a knowledge base update; absent and empty fields are unchanged. */
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

/** Request body of an unanswered question. */
export const NewQuestion = z.object({
  namespace: NamespaceId,
  question: QuestionText,
  request_id: z.string().max(200).optional(),
  sender: z.string().max(200).optional(),
});

/** Query of the list of unanswered questions. */
export const QuestionsQuery = pagingQuery(['createdAt', 'updatedAt', 'question'], 20, { search: unsupportedOption() });
