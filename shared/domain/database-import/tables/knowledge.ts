/** Knowledge bases: namespaces, contents and the question log. */
import { z } from 'zod';
import { config } from '../../../config.ts';
import { CONTENT_STATUS, KbContent } from '../../../models/kb-content.ts';
import { KbNamespace } from '../../../models/kb-namespace.ts';
import { KbAnsweredQuestion, KbQuestion } from '../../../models/kb-question.ts';
import { CONTENT_TYPES, REFRESH_RATES, withDefaults } from '../../knowledge/content-types.ts';
import {
  type Fields,
  flag,
  id,
  nonEmptyText,
  number,
  object,
  optional,
  projectFields,
  text,
  withDefault,
} from '../fields.ts';
import type { ImportTable } from '../import-table.ts';

/** Namespaces. Vectors are not imported: contents are indexed again with the engine and model in use. */
export const namespaces: ImportTable = {
  model: KbNamespace,
  sources: ['namespaces', 'kb_namespaces', 'kbnamespaces'],
  fields: z.object({
    ...projectFields,
    id: nonEmptyText(),
    name: nonEmptyText(),
    default: withDefault(flag(), false),
    hybrid: withDefault(flag(), false),
    preview_settings: withDefault(object(), {}),
  }),
  replaced: {
    engine: 'the engine of this system is used',
    embedding: 'the embedding model of this system is used',
  },
  complete: (batch) => {
    for (const { record } of batch) record.indexId = '';
  },
};

/** Contents. They are queued, so that workers read and index them. */
export const contents: ImportTable = {
  model: KbContent,
  sources: ['kbs', 'kb_contents', 'kbcontents'],
  fields: z.object({
    ...projectFields,
    namespace: optional(nonEmptyText()),
    type: z.enum(CONTENT_TYPES),
    source: nonEmptyText(),
    name: optional(nonEmptyText()),
    content: withDefault(text(), ''),
    scrape_type: optional(number()),
    scrape_options: optional(object()),
    refresh_rate: optional(z.enum(REFRESH_RATES)),
    sitemap_origin_id: optional(id()),
    sitemap_origin: optional(text()),
    tags: optional(z.array(text())),
    situated_context: optional(flag()),
    chunk_regex: optional(text()),
  }),
  replaced: {
    status: 'contents are indexed again',
    last_refresh: 'contents are indexed again',
    last_error: 'contents are indexed again',
    url: 'not used',
  },
  complete: (batch) => {
    for (const { record } of batch) {
      record.namespace ??= record.id_project;
      record.name ??= record.source;
      Object.assign(record, withDefaults(record.type as string, record));
      for (const key of Object.keys(record)) if (record[key] === undefined) delete record[key];
      // `nextAttemptAt` is the creation time, so that the oldest contents are indexed first.
      Object.assign(record, { status: CONTENT_STATUS.queued, nextAttemptAt: record.createdAt });
      Object.assign(record, { failures: 0, attemptIds: [], chunks: 0 });
    }
  },
};

const questionFields = {
  ...projectFields,
  namespace: nonEmptyText(),
  question: nonEmptyText(),
  request_id: optional(text()),
};

const questionExpiry = ({ createdAt }: Fields): Date =>
  new Date((createdAt as Date).getTime() + config.QUESTION_TTL_SECONDS * 1000);

/** Questions without an answer. They are assigned to clusters by a job. */
export const unansweredQuestions: ImportTable = {
  model: KbQuestion,
  sources: ['unansweredquestions', 'unanswered_questions', 'kb_unanswered', 'kbunanswereds'],
  fields: z.object({ ...questionFields, sender: optional(text()) }),
  expiresAt: questionExpiry,
  complete: (batch) => {
    for (const { record } of batch) record.needsCluster = true;
  },
};

/** Answered questions. */
export const answeredQuestions: ImportTable = {
  model: KbAnsweredQuestion,
  sources: ['answeredquestions', 'answered_questions', 'kb_answered', 'kbanswereds'],
  fields: z.object({ ...questionFields, answer: nonEmptyText(), tokens: optional(number()) }),
  replaced: {},
  expiresAt: questionExpiry,
};
