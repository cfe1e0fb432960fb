/** Imports the question logs of knowledge bases. */
import { z } from 'zod';
import { config } from '../../../config.ts';
import { KbAnsweredQuestion, KbUnansweredQuestion } from '../../../models/kb-question.ts';
import { nonEmptyText, number, optional, projectFields, text } from '../fields.ts';
import { expiresAfter } from './expiry.ts';
import type { ImportTable } from '../import-table.ts';

const questionFields = {
  ...projectFields,
  namespace: nonEmptyText(),
  question: nonEmptyText(),
  request_id: optional(text()),
};

/** Questions without an answer. A job assigns each to a cluster of similar questions. */
export const unansweredQuestions: ImportTable = {
  model: KbUnansweredQuestion,
  sources: ['unansweredquestions', 'unanswered_questions', 'kb_unanswered', 'kbunanswereds'],
  fields: z.object({ ...questionFields, sender: optional(text()) }),
  expiresAt: expiresAfter(config.QUESTION_TTL_SECONDS),
  complete: (batch) => {
    for (const { record } of batch) record.needsCluster = true;
  },
};

export const answeredQuestions: ImportTable = {
  model: KbAnsweredQuestion,
  sources: ['answeredquestions', 'answered_questions', 'kb_answered', 'kbanswereds'],
  fields: z.object({ ...questionFields, answer: nonEmptyText(), tokens: optional(number()) }),
  replaced: {},
  expiresAt: expiresAfter(config.QUESTION_TTL_SECONDS),
};
